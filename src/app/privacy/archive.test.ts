import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs } from '#lib/time.ts';
import { readableRow } from './archive.ts';

test('times, days, months, money and lists of a row are readable in an archive', () => {
  const time = Date.UTC(2026, 10, 18);
  assert.deepEqual(
    readableRow({
      created_at: time,
      since: time,
      undeliverable_since: time,
      expires_at: null,
      due_day: 1,
      billed_until: 1,
      bill_day: 28,
      from_hour: time / hourMs,
      until_hour: null,
      month: Date.UTC(2026, 10) / 1000,
      traffic_month: 2026 * 12 + 10,
      total_cents: 1250,
      hour_price: 125,
      services: '[1,2]',
      name: '[no list',
      count: 3,
    }),
    {
      created_at: '2026-11-18T00:00:00.000Z',
      since: '2026-11-18T00:00:00.000Z',
      undeliverable_since: '2026-11-18T00:00:00.000Z',
      expires_at: null,
      due_day: '1970-01-02',
      billed_until: '1970-01-02',
      bill_day: 28,
      from_hour: '2026-11-18T00:00:00.000Z',
      until_hour: null,
      month: '2026-11',
      traffic_month: '2026-11',
      total_cents: '12.50',
      hour_price: '0.0125',
      services: [1, 2],
      name: '[no list',
      count: 3,
    },
  );
});

test('a machine whose traffic was never counted by month shows no month', () => {
  assert.deepEqual(readableRow({ traffic_month: 0 }), { traffic_month: null });
});
