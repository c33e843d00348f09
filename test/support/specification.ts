// The specification next to the project: the two API documents, the list of endpoints and the decisions where the
// documents leave something open.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leaveOut, type SuiteOptions } from './needs.ts';
import { root } from './pages.ts';

const folder = join(root, '..', 'shared', 'spec');

export function needsSpecification(): SuiteOptions {
  return existsSync(folder) ? {} : leaveOut('needs the specification in ../shared/spec');
}

/** Returns a file of the specification; empty if there is none, in a suite that is left out then. */
export function readSpecification(file: 'api-v2.md' | 'api-legacy.md' | 'decisions.md' | 'endpoints.tsv'): string {
  return existsSync(folder) ? readFileSync(join(folder, file), 'utf8') : '';
}

/** Returns a section by its number, without its subsections. */
export function sectionOf(text: string, number: string): string {
  const section = text.split(/^#+ (?=\d)/m).find((part) => part.startsWith(`${number} `));
  assert.ok(section, `no section ${number}`);
  return section;
}

/** Returns the rows of all tables, without their headers. */
export function rowsOf(text: string): string[][] {
  const tables = text.matchAll(/^\|.*\n\|[-|: ]+\n((?:\|.*\n?)*)/gm);
  return [...tables].flatMap(([, body]) =>
    body!
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/(?<!\\)\|(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)/).slice(1, -1))
      .map((cells) => cells.map((cell) => cell.trim())),
  );
}

export function codeOf(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}
