// One fixture per registered workflow, for the harness.
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { harness, type Scenario, type Fixture } from '#workflows/engine/harness.ts';
import type { ServerDeps } from '#workflows/device-steps.ts';
import { powerCycle, type PowerCycleInput } from '#workflows/server/power-cycle.ts';
import { shutdown, type ShutdownDeps, type ShutdownInput } from '#workflows/service/shutdown.ts';
import { backupScenarios } from './backup-fixtures.ts';
import { billingRunScenario } from './billing-fixtures.ts';
import { imageUploadScenario } from './image-upload-fixtures.ts';
import { keyRolloverScenario } from './key-rollover-fixtures.ts';
import { licenceOrderScenario } from './licence-fixtures.ts';
import { isLongRun } from './long-run.ts';
import { machineCopyScenarios } from './machine-copy-fixtures.ts';
import { machineScenarios } from './machine-fixtures.ts';
import { migrationScenarios } from './migration-fixtures.ts';
import { networkBootScenarios } from './network-boot-fixtures.ts';
import { reclaimScenario } from './reclaim-fixtures.ts';
import { serviceScenarios } from './service-fixtures.ts';
import { poweredServerName as server, startPoweredServer } from './powered-server.ts';

/** A powered-on server with an IPMI BMC, and its service. */
export async function makePoweredServer(): Promise<Fixture<ServerDeps, PowerCycleInput>> {
  const fixture = await startPoweredServer('power-cycle');
  const { store, deps, bmc } = fixture;
  return {
    ...fixture,
    input: { server, offMs: 20, purpose: 'power cycle', answerBy: deps.clock.now() + 60_000 },
    observe: async () => ({
      power: bmc.chassis.power,
      locked: (await deviceLockFind(store.queries, server, deps.clock.now())) !== undefined,
    }),
  };
}

/** A server that has shut down on request. */
async function makeServerThatShutDown(): Promise<Fixture<ShutdownDeps, ShutdownInput>> {
  const fixture = await startPoweredServer('shutdown');
  const { bmc, deps } = fixture;
  bmc.chassis.turnOff();
  return {
    ...fixture,
    // No machine is followed here.
    deps: deps as unknown as ShutdownDeps,
    input: { target: { server, purpose: 'a shutdown' }, limitMs: 60_000 },
    observe: async () => bmc.chassis.power,
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- each scenario has its own kind of fixture
export const scenarios: readonly Scenario<any, any>[] = [
  { workflow: powerCycle, makeFixture: makePoweredServer },
  { workflow: shutdown, makeFixture: makeServerThatShutDown },
  ...networkBootScenarios,
  ...machineScenarios,
  ...backupScenarios,
  ...machineCopyScenarios,
  ...migrationScenarios,
  ...serviceScenarios,
  reclaimScenario,
  imageUploadScenario,
  keyRolloverScenario,
  licenceOrderScenario,
  billingRunScenario,
];

/** Runs a part of them. One file with all scenarios would take longer than a test file may. */
export function runScenarios(part: 'machine' | 'server' | 'other'): void {
  for (const scenario of scenarios) {
    const { name } = scenario.workflow;
    const isServer = /^(?:server-|power-cycle$|image-upload$)/.test(name);
    const own = name.startsWith('machine-') ? 'machine' : isServer ? 'server' : 'other';
    if (own === part) harness(scenario, isLongRun ? 'every case' : 'each state once');
  }
}
