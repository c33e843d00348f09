// Power of virtual machines. The operating system is asked to shut down before the power is cut. A hypervisor that does not
// respond is an error: its machines are never reported as off.
import { requireCapability, type MachinePowerState } from '#drivers/hypervisor/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { recordMachinePower } from '#events/power-observations.ts';
import { ApiError } from '#lib/api-error.ts';
import type { PowerObservation } from '#store/devices/device-states.ts';
import { machineName } from '#store/devices/machines.ts';
import type { Service } from '#store/devices/services.ts';
import { machineTarget } from '#workflows/device-steps.ts';
import { machinePower, type MachinePowerInput } from '#workflows/machine/machine-power.ts';
import { machineOf, runMachineCommand } from './machines.ts';
import { followShutdown } from '../services/shutdowns.ts';
import { waitForWorkflow } from '../operations/workflow-wait.ts';
import { startServiceWork } from '../services/services.ts';
import type { Context } from '../app.ts';

/** How long an operating system may take to shut down while the API caller waits. */
export const shutdownGraceMs = 15_000;

export async function machinePowerState(context: Context, service: Service): Promise<MachinePowerState> {
  const { node, vmid } = await machineOf(context, service);
  const timeout = commandTimeout();
  const state = await context.app.hypervisors.use(node, ({ power }) => power.state(machineName(vmid), timeout));
  await recordPower(context, service, state, 'query');
  return state;
}

export async function machinePowerOn(context: Context, service: Service): Promise<void> {
  const machine = await machineOf(context, service);
  await runMachineCommand(context, machine, 'a power-on', ({ hypervisor, name, signal }) =>
    hypervisor.power.set(name, 'on', signal),
  );
  await recordPower(context, service, 'on', 'command');
}

export function machinePowerOff(context: Context, service: Service): Promise<void> {
  return runPowerWorkflow(context, service, 'off', 'a power-off');
}

/** Asks the operating system to shut down, and follows whether it does. */
export async function shutMachineDown(context: Context, service: Service): Promise<void> {
  const machine = await machineOf(context, service);
  await runMachineCommand(context, machine, 'a soft shutdown', async ({ hypervisor: { power }, name, signal }) => {
    if ((await power.state(name, signal)) === 'on') await power.requestShutdown(name, signal);
  });
  await followShutdown(context, service, machineTarget(machine, 'a shutdown'));
}

/** Restarts a machine that is on; throws if it is off. */
export function restartMachine(context: Context, service: Service): Promise<void> {
  return runPowerWorkflow(context, service, 'restart', 'a restart');
}

/** Powers off and on again, also from off. */
export function cycleMachine(context: Context, service: Service): Promise<void> {
  return runPowerWorkflow(context, service, 'cycle', 'a power cycle');
}

export async function setMachineNextBoot(
  context: Context,
  service: Service,
  target: 'pxe' | 'cdrom' | 'bios',
): Promise<void> {
  const machine = await machineOf(context, service);
  if (target === 'bios') throw new ApiError('capability_missing', { message: 'Virtual machines have no BIOS.' });
  await runMachineCommand(context, machine, 'a boot device change', ({ hypervisor, name, signal }) =>
    requireCapability(hypervisor, 'boot').setNext(name, target, signal),
  );
}

async function runPowerWorkflow(
  context: Context,
  service: Service,
  action: MachinePowerInput['action'],
  purpose: string,
): Promise<void> {
  const { app } = context;
  const machine = await machineOf(context, service);
  const input = { ...machineTarget(machine, purpose), action, graceMs: shutdownGraceMs };
  const id = await app.store.transaction((queries) =>
    startServiceWork({ ...context, queries }, service, machinePower, input),
  );
  await waitForWorkflow(app, id, 'node_unreachable');
}

async function recordPower(
  { app }: Context,
  { id: service, account_id: account }: Service,
  state: MachinePowerState,
  source: PowerObservation['source'],
): Promise<void> {
  const observation = { state, source, at: app.clock.now() };
  await app.store.transaction((queries) => recordMachinePower(app, queries, { account, service }, observation));
}
