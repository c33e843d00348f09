// States of a network boot: a reload, the rescue system or a root password reset. The store allows only these changes.
export type ReloadKind = 'reload' | 'rescue' | 'password';
/** Erasing the disks between customers is also a network boot, but not of a customer. */
export type NetworkBootKind = ReloadKind | 'erase';

export const reloadStates = {
  /** The server is locked and being power-cycled. */
  Queued: ['Booting', 'Failed', 'Cancelled'],
  /** The server is on and should request its boot script. */
  Booting: ['Installing', 'Active', 'Completed', 'Failed', 'Cancelled'],
  /** The installer is running and reports its progress. */
  Installing: ['Installing', 'Completed', 'Failed', 'Cancelled'],
  /** The rescue system is running until it is stopped. */
  Active: ['Completed'],
  Completed: [],
  Failed: [],
  Cancelled: [],
} as const satisfies Record<string, readonly string[]>;

export type ReloadState = keyof typeof reloadStates;

/** Returns the states that can change to this one. */
export function reloadStatesBefore(state: ReloadState): ReloadState[] {
  const table: Record<ReloadState, readonly ReloadState[]> = reloadStates;
  return (Object.keys(table) as ReloadState[]).filter((from) => table[from].includes(state));
}
