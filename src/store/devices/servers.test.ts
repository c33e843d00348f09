// A server changes its state only as the state table allows, and the database gives no service a server that is not available.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { sql } from 'kysely';
import { serverStateNames, serverStates, type ServerState } from '#contract/states/servers.ts';
import { addAccount, addService } from '#test/support/accounts.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import type { AccountId } from '../account-id.ts';
import type { Store } from '../store.ts';
import { serverAliases } from '../migrations/0037-server-aliases.ts';
import {
  serverAliasSet,
  serverFind,
  serverMove,
  serverPut,
  serversPut,
  storedServers,
  type Server,
} from './servers.ts';
import { serviceFindByLegacyServer } from './services.ts';

const settings = { bmc_driver: 'ipmi', bmc_settings: '', bmc_model: 'lab', console_host: '', parts: '{}' };
/** Says nothing of how the server boots. */
const bootless = {
  ...settings,
  erase: 1,
  bmc_file_digest: null,
  has_web_page: 0,
  outlets: '[]',
  firmware: null,
  boot_address: null,
  disks: '[]',
};

describeOnEngines('the state of a server', ({ openApp }) => {
  let store: Store;
  let account: AccountId;
  let servers = 0;
  before(async () => {
    store = (await openApp()).parts.store;
    account = await addAccount(store, 9000);
  });

  async function addServer(state: ServerState): Promise<string> {
    const name = `dc09r01ds${String(++servers).padStart(3, '0')}`;
    await serverPut(store.queries, { name, ...settings });
    await store.queries.updateTable('servers').set({ state }).where('name', '=', name).execute();
    return name;
  }

  test('follows the table, whatever the sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...serverStateNames), { maxLength: 10 }), async (sequence) => {
        const name = await addServer('available');
        let state: ServerState = 'available';
        for (const next of sequence) {
          const isAllowed = (serverStates[state] as readonly ServerState[]).includes(next);
          assert.equal(await serverMove(store.queries, name, next), isAllowed);
          if (isAllowed) state = next;
          assert.equal((await serverFind(store.queries, name))?.state, state);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('keeps a service from getting a server that is not available, whoever writes the row', async () => {
    for (const [index, state] of serverStateNames.entries()) {
      const name = await addServer(state);
      const service = 92_000 + index;
      const insert = addService(store, account, service, { server: name });
      if (state === 'available') await insert;
      else await assert.rejects(insert, /the server is not available/);
      await addService(store, account, 93_000 + index);
      const update = store.queries
        .updateTable('services')
        .set({ server: name })
        .where('id', '=', 93_000 + index)
        .execute();
      if (state !== 'available') await assert.rejects(update, /the server is not available/);
      else await update.catch(() => {});
    }
  });

  test('stays while servers exchange their serial numbers, UUIDs and network cards', async () => {
    const [one, other] = [await addServer('quarantined'), await addServer('available')];
    const parts = (name: string, number: number) => ({
      ...bootless,
      name,
      serial: `SN-${one}-${number}`,
      uuid: `${one}-${number}`,
      macs: [`52:54:00:09:${String(servers).padStart(2, '0')}:0${number}`],
    });
    await serversPut(store.queries, [parts(one, 1), parts(other, 2)]);
    const { bmc_revision } = (await serverFind(store.queries, one))!;
    const exchanged = [parts(one, 2), parts(other, 1)];
    await serversPut(store.queries, exchanged);
    const stored = await storedServers(store.queries);
    for (const { name, serial, uuid, macs } of exchanged) {
      const row = stored.get(name)!;
      assert.deepEqual({ serial: row.serial, uuid: row.uuid, macs: row.macs }, { serial, uuid, macs });
    }
    const row = stored.get(one)!;
    assert.deepEqual([row.state, row.bmc_revision], ['quarantined', bmc_revision]);
    await serversPut(store.queries, [{ ...exchanged[0]!, firmware: 'uefi' }]);
    assert.equal((await serverFind(store.queries, one))?.bmc_revision, bmc_revision + 1);
  });

  test('lets a service that has its server be written again', async () => {
    const name = await addServer('available');
    await addService(store, account, 94_000, { server: name });
    await serverMove(store.queries, name, 'assigned');
    await addService(store, account, 94_000, { server: name, name: 'Renamed' });
  });

  test('and its name stay after the migration that adds aliases, and its service is found by both', async () => {
    const { queries } = store;
    await sql`drop index servers_by_alias`.execute(queries);
    await sql`alter table servers drop column alias`.execute(queries);
    const names = ['dc08r01ds01', 'dc08r01ds02-01'];
    for (const [index, name] of names.entries()) {
      await serverPut(queries, { name, ...settings });
      await addService(store, account, 95_000 + index, { server: name });
    }
    for (const statement of serverAliases.statements({ id: '', integer: '', bytes: '', sortable: '' }, 'sqlite'))
      await sql.raw(statement).execute(queries);
    const found = async (name: string) => (await serviceFindByLegacyServer(queries, account, name))?.id;
    assert.deepEqual(await Promise.all(names.map(found)), [95_000, 95_001]);
    const [server] = names;
    assert.deepEqual(pick(await serverFind(queries, server!)), { name: server, state: 'available', alias: null });
    await serverPut(queries, { name: 'web01', ...settings });
    await addService(store, account, 95_002, { server: 'web01' });
    await serverAliasSet(queries, 'web01', 'dc00r00ds00-01');
    assert.equal(await found('dc00r00ds00-01'), 95_002);
    await assert.rejects(serverAliasSet(queries, server!, 'dc00r00ds00-01'), /unique/i);
  });
  const pick = (row: Server | undefined) => row && { name: row.name, state: row.state, alias: row.alias };
});

test('the states are drawn as they are declared', () => {
  const page = readFileSync(new URL('../../../docs/explanation/handover.md', import.meta.url), 'utf8');
  const drawn = [...page.matchAll(/^ {2}(\w+) --> (\w+):/gm)].map(([, from, to]) => `${from} ${to}`);
  const declared = serverStateNames.flatMap((from) => serverStates[from].map((to) => `${from} ${to}`));
  assert.deepEqual(drawn.toSorted(), declared.toSorted());
});
