// Reads a site file without positions, ten times faster than the yaml package and without its syntax tree, which takes a
// hundred times the memory of the text. That package reads what is rejected here, to say where and why. Long lists are read
// in parts, because even js-yaml needs twenty times the memory of the text while it reads.
import { CORE_SCHEMA, load } from 'js-yaml';
import { readSimpleYaml } from './simple-yaml.ts';

/** Aliases can multiply the size of a value, and the yaml package limits that. "Smith & Sons" has none. */
const mayHaveAliases = /(?:^|[-:?,[{])[ \t]*[&*]|(?:^|[ \t,[{])!/m;
const charactersPerPart = 100_000;

/** Returns the value of the text, or undefined if it has to be read by the yaml package. */
export function readPlainYaml(text: string, partLength = charactersPerPart): unknown {
  if (mayHaveAliases.test(text)) return undefined;
  try {
    const sections = splitSections(text);
    return sections === undefined ? loadText(text) : readSections(sections, partLength);
  } catch {
    return undefined;
  }
}

function loadText(text: string): unknown {
  return load(text, { schema: CORE_SCHEMA });
}

interface Section {
  readonly name: string;
  /** With the line that has the name. */
  readonly text: string;
}

const isBlank = (line: string): boolean => /^\s*(?:#|$)/.test(line);
const space = 32;

/** Returns undefined unless the text is a map in block style with plain names. */
function splitSections(text: string): Section[] | undefined {
  const starts: { name: string; at: number }[] = [];
  const end = text.endsWith('\n') ? text.length : text.length + 1;
  for (let at = 0; at < end; at = lineEnd(text, at)) {
    const isInside = starts.length > 0;
    // Nearly all lines.
    if (isInside && text.charCodeAt(at) === space) continue;
    const line = text.slice(at, lineEnd(text, at) - 1);
    const name = /^([A-Za-z]\w*):(?=\s|$)/.exec(line)?.[1];
    if (name !== undefined) starts.push({ name, at });
    else if (!isBlank(line) && !(isInside && /^(?:[ #\r]|- |$)/.test(line))) return undefined;
  }
  const isUnique = new Set(starts.map(({ name }) => name)).size === starts.length;
  if (starts.length === 0 || !isUnique) return undefined;
  return starts.map(({ name, at }, index) => ({ name, text: text.slice(at, starts[index + 1]?.at) }));
}

/** Returns the start of the next line. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return (end < 0 ? text.length : end) + 1;
}

function readSections(sections: readonly Section[], partLength: number): unknown {
  const site: Record<string, unknown> = {};
  for (const { name, text } of sections) {
    const values = splitItems(text, partLength).map((part) => readSection(name, part));
    site[name] = values.length === 1 ? values[0] : values.flatMap((items) => items as unknown[]);
  }
  return site;
}

/** Returns the text as it is, or parts of a list, each with the section's name. */
function splitItems(text: string, partLength: number): string[] {
  const [, header, blank, indent] = /^(\w+:[^\S\n]*(?:#.*)?\n)((?:[^\S\n]*(?:#.*)?\n)*)( *)- /.exec(text) ?? [];
  if (header === undefined) return [text];
  const items = header.length + blank!.length;
  const parts: string[] = [];
  for (let at = items; at < text.length;) {
    const next = text.indexOf(`\n${indent}- `, at + partLength) + 1;
    const end = next === 0 ? text.length : next;
    parts.push(header + text.slice(at, end));
    at = end;
  }
  return parts;
}

function readSection(name: string, part: string): unknown {
  const text = part.endsWith('\n') ? part : `${part}\n`;
  const value = readSimpleYaml(text) ?? (loadText(text) as Record<string, unknown>);
  if (Object.keys(value).join() !== name) throw new Error(`${name} is not a section`);
  return hasNegativeZero.test(text) ? value[name] : compact(value[name]);
}

/** JSON has none, nor infinite numbers, which it writes as null. */
const hasNegativeZero = /(?<!\w)-0/;

/** Returns a copy that takes less than half the memory: the strings of a value refer to the text that they were read from. */
function compact(value: unknown): unknown {
  const json = JSON.stringify(value);
  return json.includes('null') ? value : JSON.parse(json);
}
