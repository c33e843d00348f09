// One world per registered workflow, for the harness.
import { deviceLockFind } from '#store/devices/device-locks.ts';
import type { Scenario, World } from '#workflows/harness.ts';
import { powerCycle, type PowerCycleDeps, type PowerCycleInput } from '#workflows/power-cycle.ts';
import { billingRunScenario } from './billing-world.ts';
import { licenceOrderScenario } from './licence-world.ts';
import { machineScenarios } from './machine-world.ts';
import { networkBootScenarios } from './network-boot-world.ts';
import { serviceScenarios } from './service-world.ts';
import { poweredServerName as server, startPoweredServer } from './powered-server.ts';

/** A server with a controller that speaks IPMI, switched on, and its service. */
export async function makePoweredServer(): Promise<World<PowerCycleDeps, PowerCycleInput>> {
  const world = await startPoweredServer('power-cycle');
  const { store, deps, bmc } = world;
  return {
    ...world,
    input: { server, offMs: 20, purpose: 'power cycle', answerBy: deps.clock.now() + 60_000 },
    look: async () => ({
      power: bmc.chassis.power,
      locked: (await deviceLockFind(store.queries, server, deps.clock.now())) !== undefined,
    }),
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- each scenario has its own kind of world
export const scenarios: readonly Scenario<any, any>[] = [
  { workflow: powerCycle, makeWorld: makePoweredServer },
  ...networkBootScenarios,
  ...machineScenarios,
  ...serviceScenarios,
  licenceOrderScenario,
  billingRunScenario,
];
