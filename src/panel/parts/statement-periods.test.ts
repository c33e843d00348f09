import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodOf } from './statement-periods.ts';

test('periods end on their last day, also over the end of a year', () => {
  const now = new Date('2026-01-31T23:30:00Z');
  assert.deepEqual(periodOf('this-month', now), { from: '2026-01-01', until: '2026-01-31' });
  assert.deepEqual(periodOf('last-month', now), { from: '2025-12-01', until: '2025-12-31' });
  assert.deepEqual(periodOf('this-year', now), { from: '2026-01-01', until: '2026-12-31' });
  assert.deepEqual(periodOf('last-year', now), { from: '2025-01-01', until: '2025-12-31' });
});
