// A day of a provider in 14 minutes, with kills, partitions, failovers, full disks, wrong clocks and lying equipment: nothing
// acknowledged is lost, and every invariant holds at the end. HOSTYARD_TEST_DAY_SECONDS shortens it, HOSTYARD_TEST_DAY_SEED repeats one.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { equipmentFaults, infrastructureFaults } from '#test/support/day/chaos.ts';
import { liveThroughDay } from '#test/support/day/day.ts';
import { needsRoot } from '#test/support/needs.ts';

/** 24 hours at 100 times speed. */
const wholeDaySeconds = 864;
const programs = [
  'patroni',
  'etcd',
  'haproxy',
  'postgres',
  'ip',
  'iptables',
  'setpriv',
  'unshare',
  'nsenter',
  'faketime',
  'dig',
];

test('a provider’s day ends with nothing lost and every invariant intact', needsRoot(...programs), async (context) => {
  const seconds = Number(process.env['HOSTYARD_TEST_DAY_SECONDS'] ?? wholeDaySeconds);
  const seed = Number(process.env['HOSTYARD_TEST_DAY_SEED'] ?? randomInt(2 ** 31));
  context.diagnostic(`seed ${seed}`);
  const day = await liveThroughDay({ seconds, seed, log: (text) => console.log(text) });
  context.diagnostic(`${day.acknowledged} changes acknowledged; responses ${JSON.stringify(day.responses)}`);
  assert.deepEqual(day.problems, [], `seed ${seed}`);
  assert.ok(day.acknowledged > seconds && day.invoices >= 2, `${day.acknowledged} changes, ${day.invoices} invoices`);
  if (seconds < wholeDaySeconds) return;
  const missing = Object.keys({ ...infrastructureFaults, ...equipmentFaults }).filter((name) => !day.faults.has(name));
  assert.deepEqual(missing, [], 'every fault happened');
});
