// What staff are told to look at, and in which order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concernsOf, type Fleet } from './concerns.ts';

const now = Date.UTC(2026, 10, 15);
const well: Fleet = {
  equipment: [
    { kind: 'server', total: '9', silent: '0' },
    { kind: 'switch', total: '2', silent: '0' },
    { kind: 'node', total: '1', silent: '0' },
  ],
  silent: [],
  drift: [],
  held: [],
  reconcilers: [{ name: 'routes', state: 'well', error: '', succeeded: '', backlog: '0' }],
  workflows: [{ status: 'Running', count: '3' }],
  failedjobs: '0',
  addressrequests: '0',
  licenceorders: '0',
  backup: '2026-11-14 01:00:00',
};

test('where all is well nobody is asked for', () => {
  assert.deepEqual(concernsOf(well, now), []);
});

test('what does not answer comes before what waits, and leads to the one device', () => {
  const [first, second, ...rest] = concernsOf(
    {
      ...well,
      addressrequests: '2',
      equipment: [{ kind: 'server', total: '9', silent: '1' }],
      silent: [{ kind: 'server', name: 'r1s1', error: 'no answer', seen: '' }],
    },
    now,
  );
  assert.deepEqual([first!.severity, first!.says, first!.hash], ['fault', '1 controller does not answer', 'r1s1']);
  assert.deepEqual(
    [second!.severity, second!.says, second!.to],
    ['warning', '2 requests for addresses', '/staff/requests'],
  );
  assert.deepEqual(rest, []);
});

test('a backup counts for a week', () => {
  assert.equal(concernsOf({ ...well, backup: '' }, now)[0]!.says, 'No backup was ever taken');
  assert.equal(concernsOf({ ...well, backup: '2026-11-01 00:00:00' }, now)[0]!.says, 'The last backup is 14 days old');
});
