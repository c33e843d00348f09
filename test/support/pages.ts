// The documents as a reader meets them: their fenced blocks in order, and the commands that stand within sentences and tables.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
/** What a reader follows; the list of changes tells of the past. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md', { cwd: root }).sort(),
];

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** Without the indentation of a list that it stands in. */
  readonly text: string;
}

export interface Inline {
  readonly page: string;
  readonly line: number;
  readonly text: string;
}

export function pageText(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

export function blocksOf(page: string): Block[] {
  const text = pageText(page);
  return [...text.matchAll(/^( *)```(\w*)\n([^]*?)^ *```$/gm)].map(({ index, 1: indent, 2: language, 3: body }) => ({
    page,
    line: lineAt(text, index),
    language: language!,
    text: body!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Code within sentences; one that goes over the end of a line is one all the same. */
export function inlineOf(page: string): Inline[] {
  const text = pageText(page).replaceAll(/^( *)```[^]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ' '));
  return [...text.matchAll(/`([^`]+)`/g)].map(({ index, 1: code }) => ({
    page,
    line: lineAt(text, index),
    text: code!.replaceAll(/\s+/g, ' ').replaceAll('\\|', '|'),
  }));
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
