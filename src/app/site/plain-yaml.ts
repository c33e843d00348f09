// Reads a site file without positions, ten times faster than the yaml package and without its syntax tree, which takes a
// hundred times the memory of the text. That package reads what is rejected here, to say where and why. Long lists are read
// in parts, because even the quick reader needs twenty times the memory of the text while it reads.
import { CORE_SCHEMA, load } from 'js-yaml';

/** Aliases can multiply the size of a value, and the yaml package limits that. */
const mayHaveAliases = /(?:^|[\s,[{])[&*]/m;
const linesPerPart = 5000;

/** Returns the value of the text, or undefined if it has to be read by the yaml package. */
export function readPlainYaml(text: string, partLines = linesPerPart): unknown {
  if (mayHaveAliases.test(text)) return undefined;
  try {
    const sections = splitSections(text);
    return sections === undefined ? loadText(text) : readSections(sections, partLines);
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
  readonly lines: string[];
}

const isBlank = (line: string): boolean => /^\s*(?:#|$)/.test(line);

/** Returns undefined unless the text is a map in block style with plain names. */
function splitSections(text: string): Section[] | undefined {
  const sections: Section[] = [];
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const name = /^([A-Za-z]\w*):(?=\s|$)/.exec(line)?.[1];
    if (name !== undefined) sections.push({ name, lines: [line] });
    else if (sections.length > 0 && /^(?:[ #\r]|- |$)/.test(line)) sections.at(-1)!.lines.push(line);
    else if (!isBlank(line)) return undefined;
  }
  const isUnique = new Set(sections.map(({ name }) => name)).size === sections.length;
  return sections.length > 0 && isUnique ? sections : undefined;
}

function readSections(sections: readonly Section[], partLines: number): unknown {
  const site: Record<string, unknown> = {};
  for (const { name, lines } of sections) {
    const values = splitItems(lines, partLines).map((part) => readSection(name, part));
    site[name] = values.length === 1 ? values[0] : values.flatMap((items) => items as unknown[]);
  }
  return site;
}

/** Returns the lines as they are, or parts of a list, each with the section's name. */
function splitItems(lines: readonly string[], partLines: number): (readonly string[])[] {
  const header = lines[0]!;
  const first = lines.findIndex((line, index) => index > 0 && !isBlank(line));
  const indent = /^ *(?=- )/.exec(lines[first] ?? '')?.[0];
  if (indent === undefined || !/^\w+:\s*(?:#.*)?$/.test(header)) return [lines];
  const parts = [lines.slice(0, first + 1)];
  for (const line of lines.slice(first + 1)) {
    const isItem = line.startsWith(`${indent}- `);
    if (isItem && parts.at(-1)!.length > partLines) parts.push([header]);
    parts.at(-1)!.push(line);
  }
  return parts;
}

function readSection(name: string, lines: readonly string[]): unknown {
  const text = `${lines.join('\n')}\n`;
  const value = loadText(text) as Record<string, unknown>;
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
