import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDateFormats } from './dates.ts';

const noon = new Date('2026-01-31T23:04:05Z');

test('times are in the chosen zone and format, and calendar days in no zone', () => {
  const iso = createDateFormats({ timezone: 'Europe/Berlin', dateformat: 'iso' });
  assert.equal(iso.moment(noon), '2026-02-01 00:04:05');
  assert.equal(iso.day(noon), '2026-01-31');
  assert.equal(iso.clock(noon), '00:04');
  const dots = createDateFormats({ timezone: 'UTC', dateformat: 'dots' });
  assert.equal(dots.moment(noon), '31.01.2026, 23:04:05');
  assert.equal(createDateFormats({ timezone: 'UTC', dateformat: 'dmy' }).day(noon), '31/01/2026');
  assert.match(createDateFormats({ timezone: 'UTC', dateformat: 'mdy' }).moment(noon), /^01\/31\/2026, 11:04:05\sPM$/);
});
