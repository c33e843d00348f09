// How far an installation or the rescue system is, out of the words of its status.
import { reloadStates, reloadStatesBefore, type ReloadState } from '#contract/reload-states.ts';

export interface ReloadProgress {
  /** Undefined where there was never one. */
  readonly state: ReloadState | undefined;
  readonly percent: number;
  readonly reason: string;
}

const percents: Partial<Record<ReloadState, number>> = { Queued: 2, Booting: 5, Active: 100, Completed: 100 };

/** `Installing 40%`, `Failed: the disk is too small`, `No reload in progress`. */
export function reloadProgress(status: string): ReloadProgress {
  const [word = ''] = status.split(/[ :]/, 1);
  if (!Object.hasOwn(reloadStates, word)) return { state: undefined, percent: 0, reason: '' };
  const state = word as ReloadState;
  const installed = Number.parseInt(status.slice('Installing '.length), 10);
  return {
    state,
    // Its first percents were spent on booting.
    percent: state === 'Installing' ? Math.max(percents.Booting!, installed) : (percents[state] ?? 0),
    reason: state === 'Failed' ? status.slice('Failed: '.length) : '',
  };
}

/** The table says out of which states one can still be cancelled: in those it is under way. */
export function isCancellable({ state }: ReloadProgress): boolean {
  return state !== undefined && reloadStatesBefore('Cancelled').includes(state);
}
