// The entries of an audit log as people read them.

interface Entry {
  readonly requestid: string;
  readonly operation: string;
  readonly outcome: string;
}

/** Returns true if a person could not prove who they are, so that the entry names only whom they claimed to be. */
export function isFailedSignIn({ operation, outcome }: Pick<Entry, 'operation' | 'outcome'>): boolean {
  return operation.endsWith('.sessionCreate') && outcome !== 'success';
}

/** Leaves out the start of an operation whose end is in the log, too. The end is newer, so that it is always loaded first. */
export function withoutFinishedStarts<E extends Entry>(entries: readonly E[]): readonly E[] {
  const key = ({ requestid, operation }: Entry): string => `${requestid} ${operation}`;
  const ended = new Set(entries.filter(({ outcome }) => outcome !== 'begun').map(key));
  return entries.filter((entry) => entry.outcome !== 'begun' || !ended.has(key(entry)));
}
