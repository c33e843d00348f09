// Fixtures for migrations: the machine of the other fixtures, and a second lab hypervisor.
import assert from 'node:assert/strict';
import { nodeSealContext } from '#equipment/hypervisors.ts';
import { startLabHypervisor, type LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { hypervisorPut } from '#store/devices/hypervisors.ts';
import { machineFind } from '#store/devices/machines.ts';
import type { Fixture, Scenario } from '#workflows/engine/harness.ts';
import type { MachineDeps } from '#workflows/device-steps.ts';
import { machineMigrate } from '#workflows/machine/machine-migrate.ts';
import type { MachineMigrateInput } from '#workflows/machine/migration-steps.ts';
import { startMachine, type MachineFixture } from './machine-fixtures.ts';
import { withResources } from './resources.ts';

const name = 'vm-101';
export const [sourceNode, targetNode] = ['node1', 'node2'] as const;

export interface MigrationFixture extends MachineFixture {
  readonly target: LabHypervisor;
}

export async function startMigration(): Promise<MigrationFixture> {
  await using owned = new AsyncDisposableStack();
  const ground = owned.use(await startMachine());
  const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
  const target = owned.use(await startLabHypervisor({ token: 'secret-enough', timing }));
  const settings = JSON.stringify({ address: target.address, port: target.port, token: 'secret-enough' });
  await hypervisorPut(ground.store.queries, {
    name: targetNode,
    driver: 'lab',
    settings: ground.deps.secrets.seal(settings, nodeSealContext(targetNode)),
    name_servers: '[]',
  });
  return withResources(owned, { ...ground, target });
}

export function migrationInput({ service }: MigrationFixture, mode: MachineMigrateInput['mode']): MachineMigrateInput {
  return { service, node: sourceNode, name, purpose: 'a migration', target: null, mode, graceMs: 1000 };
}

export async function inspectMigration({ store, service, node, target, deps }: MigrationFixture) {
  return {
    here: node.machines.get(name)?.state.power,
    there: target.machines.get(name)?.state.power,
    placed: (await machineFind(store.queries, service))?.node,
    locked: (await deviceLockFind(store.queries, name, deps.clock.now())) !== undefined,
  };
}

async function makeMigration(mode: 'cold' | 'live'): Promise<Fixture<MachineDeps, MachineMigrateInput>> {
  const fixture = await startMigration();
  return { ...fixture, input: migrationInput(fixture, mode), observe: () => inspectMigration(fixture) };
}

export const migrationScenarios: readonly Scenario<MachineDeps, MachineMigrateInput>[] = [
  // Cold has more steps.
  { workflow: machineMigrate, makeFixture: () => makeMigration('cold') },
  {
    workflow: machineMigrate,
    makeFixture: () => makeMigration('live'),
    variant: { name: 'live', steps: ['move'] },
    // A machine that has moved while it ran does not move back.
    assertFailed(observed) {
      const { here, there, placed, locked } = observed as Awaited<ReturnType<typeof inspectMigration>>;
      assert.equal(locked, false);
      assert.deepEqual(placed === sourceNode ? [here, there] : [there, here], [
        'on',
        placed === sourceNode ? undefined : 'off',
      ]);
    },
  },
];
