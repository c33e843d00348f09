// The status texts of network boots, which callers compare with.
import type { ReloadState } from './reloads.ts';

export interface ReloadProgress {
  readonly status: ReloadState;
  readonly percent: number;
  readonly reason: string;
}

export function statusText({ status, percent, reason }: ReloadProgress): string {
  if (status === 'Installing') return `Installing ${percent}%`;
  return status === 'Failed' ? `Failed: ${clause(reason)}` : status;
}

/** Returns a sentence to follow a colon: without its capital and full stop. */
function clause(sentence: string): string {
  const [first = '', second = ''] = sentence;
  const isWord = second === second.toLowerCase();
  return `${isWord ? first.toLowerCase() : first}${sentence.slice(1)}`.replace(/\.$/, '');
}
