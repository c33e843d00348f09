import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { SerialListener } from '#drivers/bmc/driver.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { secretBox } from '#lib/secrets.ts';
import { serverPut } from '#store/devices/servers.ts';
import type { Store } from '#store/store.ts';
import { addAccount, addService } from '#test/support/accounts.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { until } from '#test/support/until.ts';
import type { Bmcs } from './bmcs.ts';
import { ringBytes, serialLines, type SerialLines } from './serial-lines.ts';
import { defaultWaits, type Waits } from './waits.ts';

const servers = 40;
const log = createLog('silent');
const name = (number: number): string => `server-${number}`;

describe('serial lines', () => {
  const owned = new AsyncDisposableStack();
  let store: Store;
  before(async () => {
    store = await openOwnedStore(owned, 'serial');
    const account = await addAccount(store, 1);
    await store.transaction(async (queries) => {
      for (let number = 1; number <= servers; number++) {
        const settings = { bmc_driver: 'ipmi', bmc_settings: '', bmc_model: '', console_host: '', parts: '[]' };
        await serverPut(queries, { name: name(number), ...settings });
        await addService({ ...store, queries }, account, number, { server: name(number) });
      }
    });
  });
  after(() => owned.disposeAsync());

  /** An instance whose BMCs accept every session, and the listeners of those sessions. */
  function openLines(instanceId: string): SerialLines & { readonly listeners: Map<string, SerialListener> } {
    const listeners = new Map<string, SerialListener>();
    const line = { write: async () => {}, sendBreak: async () => {}, close: async () => {} };
    const open = (server: string) => async (listener: SerialListener) => {
      listeners.set(server, listener);
      return line;
    };
    const bmcs = {
      use: (server: string, work: (bmc: unknown, waits: Waits) => unknown) =>
        work({ serial: { open: open(server) } }, defaultWaits),
    } as unknown as Bmcs;
    const secrets = secretBox(Buffer.alloc(32, 1));
    const parts = { store, clock: systemClock, log, secrets, instanceId, bmcs };
    return { ...serialLines(parts), listeners };
  }

  async function rowsWritten(): Promise<number> {
    const { rows } = await store.transaction((queries) =>
      sql<{ count: number }>`select total_changes() as count`.execute(queries),
    );
    return rows[0]!.count;
  }

  async function storedBlocks(): Promise<string[]> {
    const { rows } = await sql<{ output: Buffer }>`select output from serial_output`.execute(store.queries);
    return rows.map(({ output }) => output.toString('latin1'));
  }

  it('are renewed by writing one row, however many there are', async () => {
    const lines = openLines('one');
    lines.start();
    try {
      await until(() => lines.listeners.size === servers);
      const start = await rowsWritten();
      await until(async () => (await rowsWritten()) > start);
      assert.ok((await rowsWritten()) < start + servers, 'wrote a row for every line');
    } finally {
      await lines.stop();
    }
  });

  it('keep all output across instances, and store only what was added', async () => {
    const viewed: string[] = [];
    const view = (lines: SerialLines) =>
      lines.view(name(1), 1, { onData: (data) => viewed.push(data.toString('latin1')), onEnd: () => {} });
    const first = openLines('first');
    await view(first);
    const long = Array.from({ length: ringBytes / 8 }, (_, index) => String(index).padStart(8, ' ')).join('');
    first.listeners.get(name(1))!.onData(Buffer.from(long));
    await first.stop();
    const before = new Set(await storedBlocks());
    const second = openLines('second');
    await view(second);
    second.listeners.get(name(1))!.onData(Buffer.from('one more line'));
    await second.stop();
    const added = (await storedBlocks()).filter((output) => !before.has(output));
    assert.ok(added.join('').length < 1000, `stored ${added.join('').length} bytes for a line`);
    viewed.length = 0;
    const third = openLines('third');
    await view(third);
    await third.stop();
    assert.equal(viewed.join(''), `${long}one more line`.slice(-ringBytes));
  });
});
