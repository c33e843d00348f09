// What a network boot goes through: a reload of the operating system, the rescue system, a reset of the root password. Every
// change of state is one of these; the store writes no other.
export const reloadKinds = ['reload', 'rescue', 'password'] as const;
export type ReloadKind = (typeof reloadKinds)[number];

export const reloadStates = {
  /** The server is locked and being switched. */
  Queued: ['Booting', 'Failed', 'Cancelled'],
  /** It is on, and is to ask for its boot script. */
  Booting: ['Installing', 'Active', 'Completed', 'Failed', 'Cancelled'],
  /** The installer runs, and says how far it is. */
  Installing: ['Installing', 'Completed', 'Failed', 'Cancelled'],
  /** The rescue system runs, until it is ended. */
  Active: ['Completed'],
  Completed: [],
  Failed: [],
  Cancelled: [],
} as const satisfies Record<string, readonly string[]>;

export type ReloadState = keyof typeof reloadStates;

/** The states out of which one may come into this one. */
export function reloadStatesBefore(state: ReloadState): ReloadState[] {
  const table: Record<ReloadState, readonly ReloadState[]> = reloadStates;
  return (Object.keys(table) as ReloadState[]).filter((from) => table[from].includes(state));
}
