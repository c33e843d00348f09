// The documents as a reader sees them: their fenced blocks in order, and the commands in sentences and tables.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
/** Pages to follow; the changelog describes the past. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md', { cwd: root }).sort(),
];

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** Without the indentation of a surrounding list. */
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

/** Inline code, including code that spans a line break. */
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
