// Why a connection failed, in one line for the log and for operators.

/** If several addresses were tried, the error has no message of its own, but one for each address: the first is used. */
export function connectionReason(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return first instanceof Error ? first.message : String(first);
}
