// Power of a virtual machine. Off is asked for first and forced after a while; unknown is never reported as off.
import { need, type MachinePowerState } from '#drivers/hypervisor/driver.ts';
import { machineSeen } from '#jobs/power-seen.ts';
import type { PowerObservation } from '#store/devices/device-states.ts';
import { Fault } from '#kernel/fault.ts';
import { machineName } from '#store/devices/machines.ts';
import type { Service } from '#store/devices/services.ts';
import { targetOf } from '#workflows/machine-command.ts';
import { machinePower, type MachinePowerInput } from '#workflows/machine-power.ts';
import { startWorkflow } from '#workflows/runner.ts';
import { commandLimit } from '../services/command-limit.ts';
import { machineOf, withMachine, type PlacedMachine } from './machines.ts';
import { workflowEnd } from '../workflow-end.ts';
import type { Context } from '../yard.ts';

/** How long an operating system may take to shut down while its owner waits for the answer. */
export const shutdownGraceMs = 15_000;

export async function machinePowerState(context: Context, service: Service): Promise<MachinePowerState> {
  const { node, vmid } = await machineOf(context, service);
  const limit = commandLimit();
  const state = await context.yard.nodes.use(node, (each) => each.power.state(machineName(vmid), limit));
  await saw(context, service, state, 'query');
  return state;
}

export async function machinePowerOn(context: Context, service: Service): Promise<void> {
  const machine = await machineOf(context, service);
  await withMachine(context, machine, 'power on', ({ node, name, signal }) => node.power.set(name, 'on', signal));
  await saw(context, service, 'on', 'command');
}

/** What is off already is not waited for. */
export async function machinePowerOff(context: Context, service: Service): Promise<void> {
  await commanded(context, await machineOf(context, service), 'off', 'power off');
}

/** Restarts what is on. What is off stays so, and the caller is told. */
export async function machineRestart(context: Context, service: Service): Promise<void> {
  await commanded(context, await machineOf(context, service), 'restart', 'restart');
}

/** Off and on again; ends with the power on, also from off. */
export async function machineCycle(context: Context, service: Service): Promise<void> {
  await commanded(context, await machineOf(context, service), 'cycle', 'power cycle');
}

export async function machineBootNext(
  context: Context,
  service: Service,
  target: 'pxe' | 'cdrom' | 'bios',
): Promise<void> {
  const machine = await machineOf(context, service);
  if (target === 'bios') throw new Fault('capability_missing', { message: 'A virtual machine has no BIOS to enter.' });
  await withMachine(context, machine, 'choice of the boot device', ({ node, name, signal }) =>
    need(node, 'boot').setNext(name, target, signal),
  );
}

async function commanded(
  context: Context,
  machine: PlacedMachine,
  action: MachinePowerInput['action'],
  purpose: string,
): Promise<void> {
  const { yard, caller } = context;
  const id = await yard.store.transaction((queries) =>
    startWorkflow(yard, queries, machinePower, {
      account: caller.account,
      service: machine.service_id,
      operation: context.operation,
      input: { ...targetOf(machine, purpose), action, graceMs: shutdownGraceMs },
    }),
  );
  await workflowEnd(yard, id, 'node_unreachable');
}

async function saw(
  { yard }: Context,
  service: Service,
  state: MachinePowerState,
  source: PowerObservation['source'],
): Promise<void> {
  const owner = { account: service.account_id, service: service.id };
  await yard.store.transaction((queries) => machineSeen(yard, queries, owner, { state, source, at: yard.clock.now() }));
}
