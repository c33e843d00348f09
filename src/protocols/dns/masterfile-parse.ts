// Parses zone files as BIND writes them (RFC 1035 section 5). Reports all problems, with line and column, so that they
// can be fixed in one go.
import { PresentationError } from './errors.ts';
import { parseSeconds } from './fields.ts';
import { isWithin, parseName } from './name.ts';
import { checkDataType, wordsToWire } from './rdata.ts';
import type { Rrset } from './rrset.ts';
import { typeNumber } from './types.ts';
import { type Entry, type Word, WordError, parseEntries } from './words.ts';

/** An RRset of one record; see `groupRecords`. */
export interface MasterRecord extends Rrset {
  readonly line: number;
}

export interface MasterProblem {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export interface MasterFile {
  readonly records: readonly MasterRecord[];
  readonly problems: readonly MasterProblem[];
}

interface Settings {
  /** The initial origin; all owners must be within it. */
  readonly zone: string;
  /** For records before the first $TTL. */
  readonly defaultTtl: number;
}

interface State {
  origin: string;
  owner: string | undefined;
  ttl: number;
}

const classNames = new Set(['IN', 'CH', 'HS', 'CS']);
const maxProblems = 100;

export function parseMasterFile(text: string, settings: Settings): MasterFile {
  return collectEntries([...parseMasterEntries(text, settings)]);
}

export function collectEntries(entries: readonly (MasterRecord | MasterProblem)[]): MasterFile {
  return {
    records: entries.filter((entry) => 'rdata' in entry),
    problems: entries.filter((entry) => 'reason' in entry),
  };
}

/** Yields one entry after the other, so that a caller can pause in a long file. Stops after too many problems. */
export function* parseMasterEntries(text: string, settings: Settings): Generator<MasterRecord | MasterProblem> {
  const state: State = { origin: settings.zone, owner: undefined, ttl: settings.defaultTtl };
  let problems = 0;
  const entries = parseEntries(text.replaceAll('\r\n', '\n'));
  while (problems < maxProblems) {
    let entry: Entry | undefined;
    try {
      entry = entries.next().value ?? undefined;
      if (entry === undefined) return;
      const record = readEntry(entry, state, settings.zone);
      if (record) yield record;
    } catch (error) {
      problems++;
      yield toProblem(error, entry?.words[0] ?? { line: 1, column: 1 });
    }
  }
}

function toProblem(error: unknown, where: { line: number; column: number }): MasterProblem {
  if (!(error instanceof PresentationError)) throw error;
  const { line, column } = error instanceof WordError ? error : where;
  return { line, column, reason: error.message };
}

function readEntry(entry: Entry, state: State, zone: string): MasterRecord | undefined {
  const first = entry.words[0]!;
  if (!entry.indented && !first.quoted && first.text.startsWith('$')) {
    readDirective(entry.words, state);
    return undefined;
  }
  return readRecord(entry, state, zone);
}

function readDirective([directive, argument, ...rest]: readonly Word[], state: State): void {
  const at = directive!;
  const word = at.text.toUpperCase();
  if (word !== '$ORIGIN' && word !== '$TTL') throw new PresentationError(`${word} is not supported`);
  if (!argument) throw new WordError(`${word} has no value`, at.line, at.column);
  const extra = rest[0];
  if (extra) throw new WordError(`unexpected ${JSON.stringify(extra.text)} after ${word}`, extra.line, extra.column);
  if (word === '$ORIGIN') state.origin = withPosition(argument, () => parseName(argument.text, state.origin));
  else state.ttl = withPosition(argument, () => readTtl(argument.text));
}

function readRecord(entry: Entry, state: State, zone: string): MasterRecord {
  const { words } = entry;
  let at = 0;
  if (!entry.indented) {
    const owner = words[at++]!;
    // Cleared even on failure: the indented lines below belong to the invalid owner, not to the previous one.
    state.owner = undefined;
    state.owner = withPosition(owner, () => parseOwner(owner, state.origin, zone));
  }
  const start = words[at] ?? words[0]!;
  if (state.owner === undefined) throw new WordError('the record has no owner name', start.line, start.column);

  let ttl: number | undefined;
  let className: string | undefined;
  for (let word = words[at]; word && !word.quoted; word = words[++at]) {
    const upper = word.text.toUpperCase();
    if (className === undefined && classNames.has(upper)) className = upper;
    else if (ttl === undefined && /^\d/.test(word.text)) ttl = withPosition(word, () => readTtl(upper));
    else break;
  }
  if (className !== undefined && className !== 'IN') {
    throw new WordError(`the class ${className} is not supported`, start.line, start.column);
  }
  const typeWord = words[at++];
  if (!typeWord) throw new WordError('the record has no type', start.line, start.column);
  const type = withPosition(typeWord, () => parseType(typeWord.text));
  const rdata = readRdata(type, words.slice(at), typeWord, state.origin);
  return { name: state.owner, type, ttl: ttl ?? state.ttl, rdata: [rdata], line: typeWord.line };
}

function parseOwner(owner: Word, origin: string, zone: string): string {
  const name = parseName(owner.text, origin);
  if (!isWithin(name, zone)) throw new PresentationError(`${JSON.stringify(owner.text)} is outside the zone ${zone}`);
  return name;
}

function readTtl(text: string): number {
  const ttl = parseSeconds(text);
  if (ttl === undefined) throw new PresentationError(`${JSON.stringify(text)} is not a TTL`);
  return ttl;
}

function parseType(text: string): number {
  const type = typeNumber(text);
  checkDataType(type);
  return type;
}

function readRdata(type: number, words: readonly Word[], typeWord: Word, origin: string): Uint8Array {
  try {
    return wordsToWire(type, words, origin);
  } catch (error) {
    if (!(error instanceof PresentationError)) throw error;
    const { line, column } = words[error.word ?? 0] ?? typeWord;
    throw new WordError(error.message, line, column);
  }
}

function withPosition<T>(word: Word, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof PresentationError ? new WordError(error.message, word.line, word.column) : error;
  }
}
