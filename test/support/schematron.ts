// Runs the official Schematron rules of e-invoices. A rule file becomes an XSLT stylesheet with one mode per pattern;
// the compiled stylesheet is cached, because compiling takes longer than all checks of a run together.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sha256 } from '#lib/secrets.ts';
import { escapeXml } from '#lib/xml.ts';
import { leaveOut, type SuiteOptions } from './needs.ts';

/** The types of saxon-js, which ships without any. */
interface Saxon {
  transform(
    options: { stylesheetInternal: object; sourceText: string; destination: 'serialized' },
    how: 'sync',
  ): { principalResult: string };
  getPlatform(): { parseXmlFromString(text: string): { readonly documentElement: Node } };
}
interface Node {
  readonly nodeType: number;
  readonly localName: string;
  readonly textContent: string;
  readonly childNodes: ArrayLike<Node>;
  readonly attributes: ArrayLike<{ readonly name: string; readonly value: string }>;
}

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '..', '..');
const rules = join(root, '..', 'shared', 'peers', 'einvoice');
const cache = join(root, 'node_modules', '.cache', 'schematron');

/** They compute with the digits of an IBAN, and SaxonJS has integers of 53 bits. */
const beyondPrecision = new Set(['DE-R-019', 'DE-R-020']);

export type RuleFile = 'EN16931-UBL' | 'EN16931-CII' | 'PEPPOL-EN16931-UBL';

/** For suites that need the rule files, which are not part of the project. */
export function needsRules(...files: RuleFile[]): SuiteOptions {
  const missing = files.filter((file) => !existsSync(join(rules, `${file}.sch`)));
  return missing.length === 0 ? {} : leaveOut(`needs ${missing.join(', ')} in ${rules}`);
}

export interface BrokenRule {
  readonly id: string;
  readonly flag: string;
  readonly text: string;
}

/**
 * Returns a function that reports which rules of the file a document breaks. Syntax rules, which forbid what EN 16931
 * does not use, take ten seconds to compile, so only long runs check them.
 */
export async function openRules(
  file: RuleFile,
  syntax: 'with syntax rules' | 'without syntax rules',
): Promise<(document: string) => BrokenRule[]> {
  const saxon = require('saxon-js') as Saxon;
  const compiled = await compileRules(saxon, file, syntax === 'with syntax rules');
  const stylesheetInternal = JSON.parse(readFileSync(compiled, 'utf8')) as object;
  return (sourceText) => {
    const { principalResult } = saxon.transform({ stylesheetInternal, sourceText, destination: 'serialized' }, 'sync');
    const { documentElement } = saxon.getPlatform().parseXmlFromString(principalResult);
    return elements(documentElement)
      .map((broken) => ({ id: attribute(broken, 'id')!, flag: attribute(broken, 'flag')!, text: broken.textContent }))
      .filter(({ id }) => !beyondPrecision.has(id));
  };
}

async function compileRules(saxon: Saxon, file: RuleFile, withSyntax: boolean): Promise<string> {
  const schema = saxon.getPlatform().parseXmlFromString(readFileSync(join(rules, `${file}.sch`), 'utf8'));
  const stylesheet = stylesheetOf(schema.documentElement, withSyntax);
  const digest = sha256(stylesheet).toString('hex').slice(0, 16);
  const compiled = join(cache, `${file}-${digest}.sef.json`);
  if (existsSync(compiled)) return compiled;
  mkdirSync(cache, { recursive: true });
  const own = join(cache, `${file}-${digest}-${process.pid}`);
  writeFileSync(`${own}.xsl`, stylesheet);
  const compiler = require.resolve('xslt3/xslt3.js');
  await promisify(execFile)(process.execPath, [compiler, `-xsl:${own}.xsl`, `-export:${own}.json`, '-nogo']);
  renameSync(`${own}.json`, compiled);
  rmSync(`${own}.xsl`);
  return compiled;
}

/** In each pattern the first rule that matches a node decides, hence the falling priorities. */
function stylesheetOf(schema: Node, withSyntax: boolean): string {
  const parts = elements(schema);
  const named = (name: string): Node[] => parts.filter(({ localName }) => localName === name);
  const namespaces = named('ns').map(
    (entry) => `xmlns:${attribute(entry, 'prefix')}="${escapeXml(attribute(entry, 'uri')!)}"`,
  );
  const patterns = named('pattern').filter(
    (pattern) => withSyntax || !(attribute(pattern, 'id') ?? '').toLowerCase().endsWith('-syntax'),
  );
  const variables = [schema, ...patterns].flatMap((part) =>
    elements(part).filter(({ localName }) => localName === 'let'),
  );
  return `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" ${namespaces.join(' ')}>
<xsl:output omit-xml-declaration="yes"/>
${variables.map(variableOf).join('\n')}
${named('function').map(copyOf).join('\n')}
<xsl:template match="/"><broken>${patterns.map((_, index) => `<xsl:apply-templates select="/" mode="p${index}"/>`).join('')}</broken></xsl:template>
${patterns.map(patternOf).join('\n')}
</xsl:stylesheet>`;
}

function patternOf(pattern: Node, index: number): string {
  const mode = `mode="p${index}"`;
  const inner = `<xsl:apply-templates select="@*|*" ${mode}/>`;
  const patternRules = elements(pattern).filter(({ localName }) => localName === 'rule');
  const templates = patternRules.map((rule, position) => {
    const priority = patternRules.length - position;
    const content = elements(rule).map((part) => (part.localName === 'let' ? variableOf(part) : assertOf(part)));
    return `<xsl:template match="${escaped(rule, 'context')}" ${mode} priority="${priority}">${content.join('')}${inner}</xsl:template>`;
  });
  return `<xsl:template match="@*|node()|/" ${mode} priority="-1">${inner}</xsl:template>\n${templates.join('\n')}`;
}

function assertOf(assert: Node): string {
  const names = `id="${escaped(assert, 'id')}" flag="${escaped(assert, 'flag')}"`;
  return `<xsl:if test="not(${escaped(assert, 'test')})"><rule ${names}>${escapeXml(assert.textContent.trim()).replaceAll('{', '{{')}</rule></xsl:if>`;
}

function variableOf(part: Node): string {
  return `<xsl:variable name="${escaped(part, 'name')}" select="${escaped(part, 'value')}"/>`;
}

/** Functions are XSLT already, under a default namespace that the stylesheet does not have. */
function copyOf(part: Node): string {
  const attributes = Array.from(part.attributes).filter(({ name }) => name !== 'xmlns');
  const texts = attributes.map(({ name, value }) => ` ${name}="${escapeXml(value)}"`);
  const inner = elements(part).map(copyOf);
  return `<xsl:${part.localName}${texts.join('')}>${inner.length > 0 ? inner.join('') : escapeXml(part.textContent)}</xsl:${part.localName}>`;
}

function elements(node: Node): Node[] {
  return Array.from(node.childNodes).filter(({ nodeType }) => nodeType === 1);
}

function attribute(node: Node, name: string): string | undefined {
  return Array.from(node.attributes).find((candidate) => candidate.name === name)?.value;
}

function escaped(node: Node, name: string): string {
  return escapeXml(attribute(node, name) ?? '');
}
