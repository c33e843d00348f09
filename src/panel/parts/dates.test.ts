import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDateFormats, fromLocalInput, setDateSettings, toLocalInput } from './dates.ts';

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

test('a time survives a round trip through an input, to the minute', () => {
  assert.equal(fromLocalInput(toLocalInput(1_800_000_060)), 1_800_000_060);
  assert.equal(fromLocalInput(''), undefined);
});

test('the times of an input are those of the zone that the person chose', () => {
  const summer = Date.UTC(2026, 6, 1, 12) / 1000;
  for (const [timezone, text] of [
    ['Asia/Kolkata', '2026-07-01T17:30'],
    ['America/New_York', '2026-07-01T08:00'],
    ['UTC', '2026-07-01T12:00'],
  ] as const) {
    setDateSettings({ timezone, dateformat: '' });
    assert.equal(toLocalInput(summer), text);
    assert.equal(fromLocalInput(text), summer);
  }
  // An hour before clocks go back, and after.
  setDateSettings({ timezone: 'Europe/Berlin', dateformat: '' });
  for (const text of ['2026-10-25T01:30', '2026-10-25T03:30', '2026-03-29T01:30', '2026-03-29T03:30'])
    assert.equal(toLocalInput(fromLocalInput(text)!), text);
  setDateSettings({ timezone: '', dateformat: '' });
});
