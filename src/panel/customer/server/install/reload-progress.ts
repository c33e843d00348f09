// Parses the status text of an installation or of the rescue system.
import { reloadStates, reloadStatesBefore, type ReloadState } from '#contract/states/reloads.ts';

export interface ReloadProgress {
  /** Undefined if there has never been one. */
  readonly state: ReloadState | undefined;
  readonly percent: number;
  readonly reason: string;
}

const percents: Partial<Record<ReloadState, number>> = { Queued: 2, Booting: 5, Active: 100, Completed: 100 };

/** Parses statuses such as `Installing 40%`, `Failed: the disk is too small` or `No reload in progress`. */
export function parseReloadStatus(status: string): ReloadProgress {
  const [word = ''] = status.split(/[ :]/, 1);
  if (!Object.hasOwn(reloadStates, word)) return { state: undefined, percent: 0, reason: '' };
  const state = word as ReloadState;
  const installed = Number.parseInt(status.slice('Installing '.length), 10);
  return {
    state,
    // Booting has already taken the first percents.
    percent: state === 'Installing' ? Math.max(percents.Booting!, installed) : (percents[state] ?? 0),
    reason: state === 'Failed' ? status.slice('Failed: '.length) : '',
  };
}

/** Returns true while it is in progress: those are the states from which it can still be cancelled. */
export function isCancellable({ state }: ReloadProgress): boolean {
  return state !== undefined && reloadStatesBefore('Cancelled').includes(state);
}
