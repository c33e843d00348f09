// The adoption of a machine that a hypervisor had before Hostyard, as every driver must do it. The provider's machine must not
// notice: `describe` returns all that the hypervisor says about it.
import assert from 'node:assert/strict';
import { adoptMachine, listUnknownMachines } from '#app/machines/adoption.ts';
import { exportSiteText } from '#app/site/report.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineFind } from '#store/devices/machines.ts';
import type { TestApp } from './app.ts';
import { assertResult } from './devices.ts';
import { machineCalls } from './machine-calls.ts';

export const adoptedService = { service: '2002', vmid: '102', name: 'vm-102' } as const;

/** A service without a machine, for the site of the story. */
export const serviceToAdopt = {
  id: 2002,
  customer: 1,
  type: 'vps',
  name: 'VPS',
  hostname: 'old.example.net',
  ip: '10.64.0.77',
  vmid: 102,
} as const;

export interface AdoptionStory {
  readonly app: TestApp;
  readonly key: string;
  /** The machine's name on the hypervisor, which runs. */
  readonly machine: string;
  describe(): Promise<unknown>;
  isOn(): Promise<boolean>;
  stop(): Promise<unknown>;
  isFiltered(): Promise<boolean>;
}

/** Afterwards the machine runs, and is filtered. */
export async function testAdoption({ app, key, machine, ...witness }: AdoptionStory): Promise<void> {
  const { parts } = app;
  const order = { node: 'real', machine, service: 2002, template: 'tiny', bandwidthGb: 100, isFiltered: false };
  const look = () => machineSync(parts, async () => {}).run(AbortSignal.timeout(60_000));
  const { v2 } = machineCalls(adoptedService, () => ({ app, key }));
  assert.deepEqual(await listUnknownMachines(parts, 'real'), [{ name: machine, power: 'on' }]);
  const before = await witness.describe();

  assert.equal((await adoptMachine(parts, order, true)).outcome, 'adopted');
  assert.equal(await machineFind(parts.store.queries, 2002), undefined, 'a dry run');
  await assert.rejects(adoptMachine(parts, { ...order, service: 2001 }, false), { code: 'state_conflict' });
  await assert.rejects(adoptMachine(parts, { ...order, machine: 'gone' }, false), { code: 'not_found' });
  assert.equal((await adoptMachine(parts, order, false)).outcome, 'adopted');
  assert.equal((await adoptMachine(parts, order, false)).outcome, 'unchanged');
  const { queries } = parts.store;
  const audit = await queries
    .selectFrom('audit')
    .select('target')
    .where('operation', '=', 'operator.machineAdopt')
    .execute();
  assert.deepEqual(audit, [{ target: `service=2002 template=tiny machine=${machine}` }]);
  await look();
  assert.deepEqual(await witness.describe(), before, 'adoption changed the machine');
  assert.deepEqual(await listUnknownMachines(parts, 'real'), []);
  assert.match(await exportSiteText(parts), new RegExp(`adopt: ${machine}\\n *filter: false`));

  assertResult(await v2('GET', 'power'), 'on');
  const { result } = (await v2('GET', 'stats')).body;
  assert.equal((result as { status: string }).status, 'Online', JSON.stringify(result));
  await witness.stop();
  assertResult(await v2('GET', 'power'), 'off');
  assert.equal((await v2('POST', 'power', { action: 'on' })).status, 200);
  assert.equal(await witness.isOn(), true);

  assert.equal(await witness.isFiltered(), false);
  assert.equal((await adoptMachine(parts, { ...order, isFiltered: true }, false)).outcome, 'changed');
  await look();
  assert.equal(await witness.isFiltered(), true);
}
