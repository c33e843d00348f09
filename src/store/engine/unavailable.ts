// Recognizes database errors that mean "not now": the same request can succeed a moment later, and nothing on our side
// is wrong.
import { connectionReason } from '#lib/connection-reason.ts';

/** What pg reports if PostgreSQL demands a password and none was given. */
const passwordIsMissing = /client password must be a/;
const demandsPassword = 'PostgreSQL demands a password: put it into the address, or set PGPASSWORD.';

/** No connection could be established. */
export class NoConnection extends Error {
  constructor(cause: unknown) {
    const reason = connectionReason(cause);
    super(passwordIsMissing.test(reason) ? demandsPassword : `PostgreSQL does not respond: ${reason}`, { cause });
    this.name = 'NoConnection';
  }
}

const postgresStates = new Set([
  '25006', // it became a read-only replica
  '08000', // connection exception
  '08003', // connection does not exist
  '08006', // connection failure
  '08P01', // PgBouncer has no connection to the server
  '53100', // its disk is full
  '53300', // too many connections
  '57P01', // the administrator shut it down
  '57P02', // another server process crashed
  '57P03', // it is starting or stopping
  '58030', // its disk failed
]);
/** The connection broke during a query. pg reports some of these as a message without a code. */
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const brokenMessages = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Query read timeout',
]);
const sqliteCodes = /^SQLITE_(?:BUSY|FULL|IOERR)(?:_|$)/;

/** Returns true if the connection can no longer be used. */
function isLostConnection(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return brokenMessages.has(error.message) || (typeof code === 'string' && brokenCodes.has(code));
}

/**
 * Returns true if a table has got a column since PostgreSQL planned the statement: a newer version has migrated the
 * database. The statement works again under a new name.
 */
export function isStalePlan(error: unknown): boolean {
  return (error as { routine?: unknown }).routine === 'RevalidateCachedQuery';
}

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof NoConnection || isLostConnection(error)) return true;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && (postgresStates.has(code) || sqliteCodes.test(code));
}
