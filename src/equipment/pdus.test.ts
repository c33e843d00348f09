// A server with two power supplies, one of which is plugged into a strip that does not respond.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { OutletState, Pdu } from '#drivers/pdu/driver.ts';
import { setOutlets, type Pdus } from './pdus.ts';
import { defaultWaits } from './waits.ts';

const waits = { ...defaultWaits, commandMs: 20 };
const outlets = [
  { pdu: 'fast', outlet: '1' },
  { pdu: 'silent', outlet: '1' },
];

/** Switches both outlets off until the signal aborts, and returns the states that the outlets have then. */
async function switchOff(signal: AbortSignal): Promise<Record<string, OutletState>> {
  const states: Record<string, OutletState> = { fast: 'on', silent: 'on' };
  const strip = (name: string): Pdu => ({
    state: async () => states[name]!,
    async set(_outlet, state, limit) {
      if (name === 'silent') await once(limit, 'abort');
      limit.throwIfAborted();
      states[name] = state;
    },
    async [Symbol.asyncDispose]() {},
  });
  const pdus: Pick<Pdus, 'use' | 'waits'> = {
    use: (name, work) => work(strip(name), waits),
    waits: async () => waits,
  };
  await assert.rejects(setOutlets(pdus as Pdus, outlets, 'off', signal));
  return states;
}

test('an outlet is switched back if another cannot be switched in time', async () => {
  assert.deepEqual(await switchOff(AbortSignal.timeout(20)), { fast: 'on', silent: 'on' });
});

test('nothing is switched back by a caller that had to stop, since another instance may be switching', async () => {
  const controller = new AbortController();
  const states = switchOff(controller.signal);
  setImmediate(() => controller.abort(new Error('the lock of the device has expired')));
  assert.deepEqual(await states, { fast: 'off', silent: 'on' });
});
