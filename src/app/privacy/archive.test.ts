import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableRow } from './archive.ts';

test('times, days, money and lists of a row are readable in an archive', () => {
  const time = Date.UTC(2026, 10, 18);
  assert.deepEqual(
    readableRow({
      created_at: time,
      since: time,
      undeliverable_since: time,
      expires_at: null,
      due_day: 1,
      billed_until: 1,
      total_cents: 1250,
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
      total_cents: '12.50',
      services: [1, 2],
      name: '[no list',
      count: 3,
    },
  );
});
