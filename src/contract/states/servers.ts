// States of a server between customers. The store allows only these changes, and only an available server can be assigned.
export const serverStates = {
  /** Free, erased and checked. */
  available: ['assigned'],
  /** Belongs to a service. */
  assigned: ['reclaiming'],
  /** Being erased and checked after its service ended. */
  reclaiming: ['available', 'quarantined'],
  /** Something could not be verified. An engineer retries the step or signs it off. */
  quarantined: ['reclaiming'],
} as const satisfies Record<string, readonly string[]>;

export type ServerState = keyof typeof serverStates;
export const serverStateNames = Object.keys(serverStates) as ServerState[];

/** Returns the states that can change to this one. */
export function serverStatesBefore(state: ServerState): ServerState[] {
  const table: Record<ServerState, readonly ServerState[]> = serverStates;
  return serverStateNames.filter((from) => table[from].includes(state));
}

/** The steps of reclaiming a server that can fail on their own, in order, as engineers retry them or sign them off. */
export const reclaimSteps = {
  isolate: 'Power the server off and disable its switch ports',
  users: "Remove the former customer's BMC users",
  sessions: 'End console sessions, eject media and clear the boot choice',
  erase: 'Erase every disk',
  inventory: 'Compare hardware and firmware with the record',
  records: 'Remove reverse names, null routes and requests',
} as const;

export type ReclaimStep = keyof typeof reclaimSteps;
export const reclaimStepNames = Object.keys(reclaimSteps) as ReclaimStep[];

export const eraseMethods = ['nvme-format', 'ata-secure-erase', 'discard', 'overwrite'] as const;
export type EraseMethod = (typeof eraseMethods)[number];
