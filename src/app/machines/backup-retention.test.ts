// Which backups are kept, for any history.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { dayMs } from '#lib/time.ts';
import { nextBackupAt, selectExpired } from './backup-retention.ts';

const at = (text: string) => ({ created_at: Date.parse(`${text}:00Z`) });
const none = { keep_daily: 0, keep_weekly: 0, keep_monthly: 0 };
const dates = (backups: readonly { created_at: number }[]) =>
  backups.map(({ created_at }) => new Date(created_at).toISOString().slice(0, 16));

test('the newest of each day, week and month is kept', () => {
  const backups = [
    '2026-01-31T02:00',
    '2026-02-20T02:00',
    '2026-02-21T02:00',
    '2026-02-22T02:00',
    '2026-02-22T14:00',
  ].map(at);
  assert.deepEqual(dates(selectExpired(backups, { ...none, keep_daily: 2 }, 99)), [
    '2026-02-22T02:00',
    '2026-02-20T02:00',
    '2026-01-31T02:00',
  ]);
  // 2026-02-22 is a Sunday, the last day of its week.
  assert.deepEqual(dates(selectExpired(backups, { ...none, keep_weekly: 2 }, 99)).length, 3);
  assert.deepEqual(dates(selectExpired(backups, { ...none, keep_monthly: 2 }, 99)), [
    '2026-02-22T02:00',
    '2026-02-21T02:00',
    '2026-02-20T02:00',
  ]);
});

const histories = fc.array(fc.integer({ min: 0, max: 400 * dayMs }).map((created_at) => ({ created_at })));
const policies = fc.record({
  keep_daily: fc.integer({ min: 0, max: 10 }),
  keep_weekly: fc.integer({ min: 0, max: 10 }),
  keep_monthly: fc.integer({ min: 0, max: 10 }),
});

test('the newest is always kept, never more than the limit, and applying it again removes nothing', () => {
  fc.assert(
    fc.property(histories, policies, fc.integer({ min: 1, max: 40 }), (backups, policy, limit) => {
      const expired = new Set(selectExpired(backups, policy, limit));
      const kept = backups.filter((backup) => !expired.has(backup));
      if (backups.length > 0) {
        const newest = Math.max(...backups.map(({ created_at }) => created_at));
        assert.ok(kept.some(({ created_at }) => created_at === newest));
      }
      assert.ok(kept.length <= Math.min(limit, 1 + policy.keep_daily + policy.keep_weekly + policy.keep_monthly));
      assert.deepEqual(selectExpired(kept, policy, limit), []);
    }),
  );
});

test('the next backup is at its hour and day, after now and within a week', () => {
  const now = Date.parse('2026-02-20T12:00:00Z');
  const schedule = { service_id: 2001, frequency: 'weekly', weekday: 1, hour: 3 } as const;
  const next = new Date(nextBackupAt(schedule, now)!);
  assert.deepEqual([next.getUTCDay(), next.getUTCHours(), next.toISOString().slice(0, 10)], [1, 3, '2026-02-23']);
  assert.equal(nextBackupAt({ ...schedule, frequency: 'off' }, now), null);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 99_999 }), (hour, service_id) => {
      const daily = nextBackupAt({ service_id, frequency: 'daily', weekday: 0, hour }, now)!;
      assert.ok(daily > now && daily <= now + dayMs);
      assert.equal(new Date(daily).getUTCHours(), hour);
    }),
  );
});
