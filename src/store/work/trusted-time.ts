// The last plausible time, which all instances share. Time that passes while a server runs is recorded every minute; if the clock
// is then more than a day ahead of the record, it has jumped, or no server has run for that long. Which of the two is true, only
// a person can tell, and what depends on dates waits for them.
import { sql } from 'kysely';
import { metaFind, metaInsertOnce, metaPut } from '../meta.ts';
import type { Queries } from '../store.ts';

const entry = 'trusted time';
/** Bills count in days, so a smaller jump does no harm. A server that was off over night is not a reason to ask. */
const maxAheadMs = 86_400_000;

export interface ClockJump {
  /** The last plausible time, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** Sets the first record of an installation. */
export async function startTrustedTime(queries: Queries, now: number): Promise<void> {
  await metaInsertOnce(queries, entry, String(Math.round(now)));
}

/** Records the time if it is plausible. */
export async function recordTime(queries: Queries, now: number): Promise<void> {
  const recorded = sql<number>`cast(value as bigint)`;
  await queries
    .updateTable('meta')
    .set({ value: String(now) })
    .where('name', '=', entry)
    .where(recorded, '<', now)
    .where(recorded, '>=', now - maxAheadMs)
    .execute();
}

/** Returns undefined if `now` is plausible, or if no server has ever run on this database. */
export async function findClockJump(queries: Queries, now: number): Promise<ClockJump | undefined> {
  const recorded = await metaFind(queries, entry);
  return recorded === undefined || now - Number(recorded) <= maxAheadMs
    ? undefined
    : { from: Number(recorded), to: now };
}

/** For an operator who has checked that the time is right. */
export async function confirmTime(queries: Queries, now: number): Promise<void> {
  await metaPut(queries, entry, String(now));
}
