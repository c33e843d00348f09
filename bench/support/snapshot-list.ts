// Snapshots of one machine among many: listing them over HTTP, and taking one in the database. Neither may depend on how many
// machines there are.
import type { AccountId } from '#store/account-id.ts';
import {
  machineSnapshotChange,
  machineSnapshotInsert,
  machineSnapshotRemove,
} from '#store/devices/machine-snapshots.ts';
import { machineSite, smallMachine } from '../../test/support/machine-site.ts';
import { requestResult } from '../../test/support/request.ts';
import { openTestApp } from '../../test/support/app.ts';
import { median } from './figures.ts';

const rounds = 100;
const perMachine = 5;
const node = 'node1';
const account = 1 as AccountId;

export interface SnapshotFigures {
  readonly listMs: number;
  readonly takeMs: number;
}

export async function measureSnapshots(machines: number): Promise<SnapshotFigures> {
  const { site, key } = machineSite(
    [{ name: node, driver: 'lab', settings: { address: '127.0.0.1', port: 1, token: 'bench' } }],
    Array.from({ length: machines }, () => ({ ...smallMachine, node })),
  );
  await using app = await openTestApp({ site });
  const { store } = app.parts;
  const row = (service_id: number, name: string) => ({
    account_id: account,
    service_id,
    name,
    template: 'debian-12',
    created_at: 0,
  });
  await store.transaction(async (queries) => {
    for (let service = 2001; service < 2001 + machines; service++)
      for (let number = 0; number < perMachine; number++)
        await machineSnapshotInsert(queries, row(service, `${number}`));
  });
  const last = 2000 + machines;
  const list = () => requestResult<unknown[]>(app, 'GET', '/v2/machine/snapshot', { key, params: { service: last } });
  const take = () =>
    store.transaction(async (queries) => {
      const { id } = await machineSnapshotInsert(queries, row(last, 'bench'));
      await machineSnapshotChange(queries, id, { state: 'ready' });
      await machineSnapshotRemove(queries, id);
    });
  return { listMs: await measure(list), takeMs: await measure(take) };
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now();
    await work();
    times.push(performance.now() - startMs);
  }
  return median(times);
}
