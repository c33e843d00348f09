// Which errors of a database mean "not now": the same request can succeed a moment later, and nothing of ours is wrong.

/** No connection was to be had. */
export class NoConnection extends Error {
  constructor(cause: unknown) {
    const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause];
    super(first instanceof Error ? first.message : String(first), { cause });
    this.name = 'NoConnection';
  }
}

const postgresStates = new Set([
  '25006', // it became a replica, which can only be read
  '08000', // connection exception
  '08003', // connection does not exist
  '08006', // connection failure
  '53300', // too many connections
  '57P01', // the administrator shuts it down
  '57P02', // another of its processes crashed
  '57P03', // it is starting or stopping
]);
/** A connection that broke under a query; pg gives some of these a sentence and no code. */
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const brokenSentences = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Query read timeout',
]);
const sqliteCodes = /^SQLITE_(?:BUSY|FULL|IOERR)(?:_|$)/;

/** The connection is of no more use. */
export function isLostConnection(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return brokenSentences.has(error.message) || (typeof code === 'string' && brokenCodes.has(code));
}

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof NoConnection || isLostConnection(error)) return true;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && (postgresStates.has(code) || sqliteCodes.test(code));
}
