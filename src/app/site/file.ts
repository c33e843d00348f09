// Reads a site file and reports all problems at once, each with line and column, before anything is changed.
import { LineCounter, parseDocument, isNode, isMap, isPair, type Document, visit } from 'yaml';
import { Site } from '#contract/site/site.ts';
import type { SecretBox } from '#lib/secrets.ts';
import type { SiteProblem, SitePath } from './site-problem.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { resolveSecrets, type Reference } from './secrets.ts';
import { checkSemantics } from './semantic-checks.ts';
import { checkSchema } from './schema-checks.ts';
import { syntaxProblems, type LocatedProblem } from './syntax-problems.ts';

export class SiteError extends Error {
  readonly problems: readonly LocatedProblem[];
  constructor(source: string, problems: readonly LocatedProblem[]) {
    const sorted = problems.toSorted((left, right) => left.line - right.line || left.column - right.column);
    super(sorted.map(({ line, column, message }) => `${source}:${line}:${column}: ${message}`).join('\n'));
    this.name = 'SiteError';
    this.problems = sorted;
  }
}

/** Returns the checked site; `secrets` opens sealed values. Adds references to secrets to `found`. Throws SiteError. */
export function readSite(text: string, source: string, secrets?: SecretBox, found: Reference[] = []): Site {
  const plain = readPlainYaml(text);
  let parsed: ParsedFile | undefined;
  const parseOnce = (): ParsedFile => (parsed ??= parseFile(text, source));
  const rejectAny = (problems: readonly SiteProblem[]): void => {
    if (problems.length === 0) return;
    const { document, lines } = parseOnce();
    const located = problems.map(([path, message]) => ({ ...locate(document, lines, path), message }));
    throw new SiteError(source, located);
  };
  const value = plain ?? resolveAliases(parseOnce(), source);
  rejectAny(checkSchema(Site, value));
  const problems: SiteProblem[] = [];
  const site = resolveSecrets(value as Site, secrets, (path, message) => problems.push([path, message]), found);
  rejectAny([...problems, ...checkSemantics(site)]);
  return site;
}

interface ParsedFile {
  readonly document: Document;
  readonly lines: LineCounter;
}

/** Returns the syntax tree, which knows the position of everything. Throws SiteError. */
function parseFile(text: string, source: string): ParsedFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  if (document.errors.length > 0) throw new SiteError(source, syntaxProblems(document.errors, text, lines));
  return { document, lines };
}

/** Resolves aliases, and reports unknown ones and alias bombs with their position. */
function resolveAliases({ document, lines }: ParsedFile, source: string): unknown {
  const unknown: LocatedProblem[] = [];
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return;
      const { line, col } = lines.linePos(alias.range?.[0] ?? 0);
      unknown.push({
        line,
        column: col,
        message: `unknown alias ${alias.source}; define the anchor &${alias.source} first`,
      });
    },
  });
  if (unknown.length > 0) throw new SiteError(source, unknown);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw new SiteError(source, [
      { line: 1, column: 1, message: 'the file has too many aliases; write the values out instead' },
    ]);
  }
}

/** Returns the position of the key at a path, or of the value if it has no key. */
function locate(document: Document, lines: LineCounter, path: SitePath): { line: number; column: number } {
  const parent = path.length === 0 ? undefined : document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent)
    ? parent.items.find((item) => isPair(item) && String(item.key) === String(path.at(-1)))
    : undefined;
  const node = pair?.key ?? document.getIn(path, true);
  const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
