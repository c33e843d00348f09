import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listConcerns, type Fleet } from './concerns.ts';

const now = Date.UTC(2026, 10, 15);
const healthy: Fleet = {
  equipment: [
    { kind: 'server', total: '9', silent: '0' },
    { kind: 'switch', total: '2', silent: '0' },
    { kind: 'node', total: '1', silent: '0' },
  ],
  silent: [],
  drift: [],
  held: [],
  quarantined: [],
  faults: [],
  reconcilers: [{ name: 'routes', state: 'well', error: '', succeeded: '', backlog: '0' }],
  workflows: [{ status: 'Running', count: '3' }],
  failedjobs: '0',
  addressrequests: '0',
  licenceorders: '0',
  backup: '2026-11-14 01:00:00',
};

test('a healthy fleet raises no concerns', () => {
  assert.deepEqual(listConcerns(healthy, now), []);
});

test('errors come before warnings, and a single device is linked directly', () => {
  const [first, second, ...rest] = listConcerns(
    {
      ...healthy,
      addressrequests: '2',
      equipment: [{ kind: 'server', total: '9', silent: '1' }],
      silent: [{ kind: 'server', name: 'r1s1', error: 'timeout', seen: '' }],
    },
    now,
  );
  assert.deepEqual([first!.severity, first!.title, first!.hash], ['error', '1 BMC is not responding', 'r1s1']);
  assert.deepEqual(
    [second!.severity, second!.title, second!.to],
    ['warning', '2 pending address requests', '/staff/requests'],
  );
  assert.deepEqual(rest, []);
});

test('a backup is outdated after a week', () => {
  assert.equal(listConcerns({ ...healthy, backup: '' }, now)[0]!.title, 'No backup yet');
  assert.equal(
    listConcerns({ ...healthy, backup: '2026-11-01 00:00:00' }, now)[0]!.title,
    'The last backup is 14 days old',
  );
});

test('servers in quarantine are named, up to five of them', () => {
  const quarantined = ['a', 'b', 'c', 'd', 'e', 'f'].map((server) => ({
    server,
    step: 'erase' as const,
    reason: 'Not erased',
    since: '2026-11-14 01:00:00',
  }));
  const [concern] = listConcerns({ ...healthy, quarantined }, now);
  assert.deepEqual([concern!.severity, concern!.title], ['warning', '6 servers in quarantine']);
  assert.match(concern!.fix, /^a, b, c, d, e and more\. /);
});

test('broken parts of one server lead to it', () => {
  const fault = {
    server: 'r1s1',
    sensor: 'PSU 2',
    kind: 'psu',
    severity: 'critical',
    detail: 'failed',
    since: '',
  } as const;
  const [concern, ...rest] = listConcerns({ ...healthy, faults: [fault, { ...fault, sensor: 'Fan 1' }] }, now);
  assert.deepEqual(
    [concern?.severity, concern?.title, concern?.hash],
    ['error', 'Hardware faults in 1 server', 'r1s1'],
  );
  assert.deepEqual(rest, []);
});
