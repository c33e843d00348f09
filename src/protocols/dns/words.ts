// Splits a zone file into words (RFC 1035 section 5.1): quotes, escapes, comments, and parentheses that continue an
// entry over several lines. Escapes stay in the words, because names and strings treat them differently.
import { PresentationError } from './errors.ts';

export interface Word {
  readonly text: string;
  readonly quoted: boolean;
  readonly line: number;
  readonly column: number;
}

/** One logical line. `indented` lines have the owner of the previous entry. */
export interface Entry {
  readonly words: readonly Word[];
  readonly indented: boolean;
}

export class WordError extends PresentationError {
  readonly line: number;
  readonly column: number;

  constructor(reason: string, line: number, column: number) {
    super(reason);
    this.line = line;
    this.column = column;
  }
}

const wordEndCharacters = new Set([' ', '\t', '\r', '\n', ';', '(', ')', '"']);

export function* parseEntries(text: string): Generator<Entry> {
  let words: Word[] = [];
  let indented = false;
  let line = 1;
  let lineStart = 0;
  let openParenthesis: { line: number; column: number } | undefined;

  for (let at = 0; at < text.length;) {
    const character = text[at]!;
    const column = at - lineStart + 1;
    if (character === '\n') {
      if (!openParenthesis) {
        if (words.length > 0) yield { words, indented };
        words = [];
        indented = false;
      }
      at++;
      line++;
      lineStart = at;
    } else if (character === ' ' || character === '\t' || character === '\r') {
      if (column === 1 && !openParenthesis) indented = true;
      at++;
    } else if (character === ';') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (character === '(') {
      if (openParenthesis) throw new WordError('parentheses cannot be nested', line, column);
      openParenthesis = { line, column };
      at++;
    } else if (character === ')') {
      if (!openParenthesis) throw new WordError('a closing parenthesis has no opening one', line, column);
      openParenthesis = undefined;
      at++;
    } else if (character === '"') {
      const end = quoteEnd(text, at);
      if (end < 0) throw new WordError('a quote is not closed', line, column);
      words.push({ text: text.slice(at + 1, end), quoted: true, line, column });
      at = end + 1;
    } else {
      const end = wordEnd(text, at);
      words.push({ text: text.slice(at, end), quoted: false, line, column });
      at = end;
    }
  }
  if (openParenthesis) throw new WordError('a parenthesis is not closed', openParenthesis.line, openParenthesis.column);
  if (words.length > 0) yield { words, indented };
}

/** Returns the words of one record's content. */
export function parseWords(text: string): readonly Word[] {
  const [first, second] = parseEntries(text);
  if (second) throw new PresentationError('the content has more than one line');
  return first?.words ?? [];
}

function quoteEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '\n') return -1;
    else if (character === '"') return at;
  }
  return -1;
}

function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !wordEndCharacters.has(text[at]!))
    at += text[at] === '\\' && text[at + 1] !== '\n' ? 2 : 1;
  return Math.min(at, text.length);
}
