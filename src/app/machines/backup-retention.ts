// Which backups a schedule keeps, and when it makes the next one.
import { dayMs, dayOf, hourMs, monthText } from '#lib/time.ts';
import type { BackupPlan } from '#store/devices/machine-backups.ts';

export type Retention = Pick<BackupPlan, 'keep_daily' | 'keep_weekly' | 'keep_monthly'>;
export type Schedule = Pick<BackupPlan, 'service_id' | 'frequency' | 'weekday' | 'hour'>;

const minuteMs = 60_000;
/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const daysBeforeMonday = 3;

/**
 * Returns the backups to remove: all but the newest, and the newest of each day, week and month that the plan keeps, up to the
 * limit. Days are those that have a backup, so that a pause removes nothing.
 */
export function selectExpired<Backup extends { readonly created_at: number }>(
  backups: readonly Backup[],
  retention: Retention,
  limit: number,
): Backup[] {
  const newestFirst = backups.toSorted((left, right) => right.created_at - left.created_at);
  const kept = new Set(newestFirst.slice(0, 1));
  const periods = [
    [retention.keep_daily, dayOf],
    [retention.keep_weekly, (at: number) => Math.floor((dayOf(at) + daysBeforeMonday) / 7)],
    [retention.keep_monthly, monthText],
  ] as const;
  for (const [count, periodOf] of periods) {
    const byPeriod = Map.groupBy(newestFirst, ({ created_at }) => periodOf(created_at));
    for (const [newest] of [...byPeriod.values()].slice(0, count)) kept.add(newest!);
  }
  const withinLimit = new Set(newestFirst.filter((backup) => kept.has(backup)).slice(0, limit));
  return newestFirst.filter((backup) => !withinLimit.has(backup));
}

/** Returns the next time after `now`, at a minute of its hour that depends on the machine, so that not all begin together. */
export function nextBackupAt({ service_id, frequency, weekday, hour }: Schedule, now: number): number | null {
  if (frequency === 'off') return null;
  const offset = hour * hourMs + ((service_id * 7) % 60) * minuteMs;
  const today = Math.floor(now / dayMs) * dayMs;
  for (let day = 0; day <= 7; day++) {
    const at = today + day * dayMs + offset;
    const isRightDay = frequency === 'daily' || new Date(at).getUTCDay() === weekday;
    if (isRightDay && at > now) return at;
  }
  return null;
}
