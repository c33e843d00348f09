// The last test of a backup: each week, a random one is restored and compared with what was backed up.
import { Type, type Static } from 'typebox';
import { dayMs } from '#lib/time.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';

const Verification = Type.Object({
  at: Type.Integer(),
  service: Type.Integer(),
  backup: Type.String(),
  /** Empty if it succeeded. */
  failure: Type.String(),
});
export type Verification = Static<typeof Verification>;

const entry = metaEntry('backup verification', Verification);
/** When the next test is started, and since when there are backups to test. */
const schedule = metaEntry('backup verification due', Type.Object({ at: Type.Integer(), since: Type.Integer() }));

const verificationEveryMs = 7 * dayMs;
const lateMs = 8 * dayMs;

export async function recordVerification(queries: Queries, verification: Verification): Promise<void> {
  await entry.put(queries, verification);
}

/** Returns true if a test is due, and then schedules the next one. The first is a week after the first backup. */
export async function takeVerificationTurn(queries: Queries, now: number): Promise<boolean> {
  const planned = await schedule.find(queries);
  const since = planned?.since ?? now;
  if (planned !== undefined && now < planned.at) return false;
  await schedule.put(queries, { at: now + verificationEveryMs, since });
  return planned !== undefined;
}

/** Returns what is wrong with the tests of backups, as a sentence, or undefined. */
export async function findVerificationProblem(queries: Queries, now: number): Promise<string | undefined> {
  const last = await entry.find(queries);
  if (last !== undefined && last.failure !== '')
    return `The backup ${last.backup} of service ${last.service} cannot be restored: ${last.failure}`;
  const since = last?.at ?? (await schedule.find(queries))?.since;
  if (since !== undefined && since < now - lateMs) return 'No machine backup has been tested for more than eight days.';
  return undefined;
}
