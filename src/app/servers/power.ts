// Power of a dedicated server. Unknown is never reported as off and never acted on: where the controller does not answer, the caller
// is told so.
import { serverSeen } from '#jobs/power-seen.ts';
import type { PowerObservation } from '#store/devices/device-states.ts';
import { need, type PowerState } from '#drivers/bmc/driver.ts';
import type { Service } from '#store/devices/services.ts';
import { powerCycle } from '#workflows/power-cycle.ts';
import { startWorkflow } from '#workflows/runner.ts';
import { commandLimit, commandMs } from '../services/command-limit.ts';
import { serverOf, withBmc } from './servers.ts';
import { workflowEnd } from '../workflow-end.ts';
import type { Context } from '../yard.ts';

/** How long a power cycle leaves the power off: long enough for the supplies to drain. */
const cycleOffMs = 2000;
const rebootOffMs = 5000;

export async function powerState(context: Context, service: Service): Promise<PowerState> {
  const server = serverOf(service);
  const state = await context.yard.bmcs.use(server, (bmc) => bmc.power.state(commandLimit()));
  await saw(context, server, state, 'query');
  return state;
}

export async function powerOn(context: Context, service: Service): Promise<void> {
  await setState(context, service, 'on', 'power on');
}

export async function powerOff(context: Context, service: Service): Promise<void> {
  await setState(context, service, 'off', 'power off');
}

/** Restarts what is on. What is off stays so, and the caller is told. */
export async function powerReset(context: Context, service: Service): Promise<void> {
  await withBmc(context, serverOf(service), 'reset', (bmc, signal) => bmc.power.reset(signal));
}

/** Asks the operating system; what it does is seen later. */
export async function powerRequestShutdown(context: Context, service: Service): Promise<void> {
  await withBmc(context, serverOf(service), 'soft shutdown', async (bmc, signal) => {
    if ((await bmc.power.state(signal)) === 'on') await bmc.power.requestShutdown(signal);
  });
}

/** Off and on again; ends with the power on, also from off. */
export function powerCycled(context: Context, service: Service): Promise<void> {
  return cycle(context, service, 'power cycle', cycleOffMs);
}

/** The legacy reboot: the same with five seconds between. */
export function powerRebooted(context: Context, service: Service): Promise<void> {
  return cycle(context, service, 'reboot', rebootOffMs);
}

export async function bootNext(context: Context, service: Service, target: 'pxe' | 'cdrom' | 'bios'): Promise<void> {
  await withBmc(context, serverOf(service), 'choice of the boot device', (bmc, signal) =>
    need(bmc, 'boot').setNext(target, signal),
  );
}

async function setState(context: Context, service: Service, state: PowerState, purpose: string): Promise<void> {
  const server = serverOf(service);
  await withBmc(context, server, purpose, (bmc, signal) => bmc.power.set(state, signal));
  await saw(context, server, state, 'command');
}

async function cycle(context: Context, service: Service, purpose: string, offMs: number): Promise<void> {
  const { yard, caller } = context;
  const id = await yard.store.transaction((queries) =>
    startWorkflow(yard, queries, powerCycle, {
      account: caller.account,
      service: service.id,
      operation: context.operation,
      input: { server: serverOf(service), offMs, purpose, answerBy: yard.clock.now() + commandMs },
    }),
  );
  await workflowEnd(yard, id, 'bmc_unreachable');
}

async function saw(
  { yard }: Context,
  server: string,
  state: PowerState,
  source: PowerObservation['source'],
): Promise<void> {
  await yard.store.transaction((queries) => serverSeen(yard, queries, server, { state, source, at: yard.clock.now() }));
}
