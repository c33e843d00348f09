// How far a network boot is, in the words that callers compare with.
import type { ReloadState } from './reload-states.ts';

export interface ReloadProgress {
  readonly status: ReloadState;
  readonly percent: number;
  readonly reason: string;
}

export function statusText({ status, percent, reason }: ReloadProgress): string {
  if (status === 'Installing') return `Installing ${percent}%`;
  return status === 'Failed' ? `Failed: ${clause(reason)}` : status;
}

/** A sentence after a colon: without its capital and its full stop. */
function clause(sentence: string): string {
  const [first = '', second = ''] = sentence;
  const isWord = second === second.toLowerCase();
  return `${isWord ? first.toLowerCase() : first}${sentence.slice(1)}`.replace(/\.$/, '');
}
