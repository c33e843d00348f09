// Power of dedicated servers. A BMC that does not respond is an error: its server is never reported or treated as off.
import { recordServerPower } from '#events/power-observations.ts';
import type { PowerObservation } from '#store/devices/device-states.ts';
import { requireCapability, type PowerState } from '#drivers/bmc/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { defaultWaits } from '#equipment/waits.ts';
import { pickDefined } from '#lib/defined.ts';
import type { Service } from '#store/devices/services.ts';
import { powerCycle } from '#workflows/server/power-cycle.ts';
import { runBmcCommand, runServerCommand, serverOf } from './servers.ts';
import { followShutdown } from '../services/shutdowns.ts';
import { waitForWorkflow } from '../operations/workflow-wait.ts';
import { startServiceWork } from '../services/services.ts';
import type { Context } from '../app.ts';

/** Long enough for the power supplies to drain. */
const cycleOffMs = 2000;
const rebootOffMs = 5000;

export async function powerState(context: Context, service: Service): Promise<PowerState> {
  const server = serverOf(service);
  const { bmcs } = context.app;
  const { commandMs } = await bmcs.waits(server);
  const state = await bmcs.powerState(server, commandTimeout(undefined, commandMs));
  await recordPower(context, server, state, 'query');
  return state;
}

export function powerOn(context: Context, service: Service): Promise<void> {
  return setPower(context, service, 'on', 'a power-on');
}

export function powerOff(context: Context, service: Service): Promise<void> {
  return setPower(context, service, 'off', 'a power-off');
}

/** Restarts a server that is on; throws if it is off. */
export async function resetPower(context: Context, service: Service): Promise<void> {
  await runBmcCommand(context, serverOf(service), 'a reset', ({ power }, signal) => power.reset(signal));
}

/** Asks the operating system to shut down; does not wait for the result. */
export async function requestShutdown(context: Context, service: Service): Promise<void> {
  await runBmcCommand(context, serverOf(service), 'a soft shutdown', async ({ power }, signal) => {
    if ((await power.state(signal)) === 'on') await power.requestShutdown(signal);
  });
}

/** Asks the operating system to shut down, and follows whether it does. */
export async function shutDown(context: Context, service: Service): Promise<void> {
  await requestShutdown(context, service);
  await followShutdown(context, service, { server: serverOf(service), purpose: 'a shutdown' });
}

/** Powers off and on again, also from off. Ends the rescue system with this id once the server is on. */
export function cyclePower(context: Context, service: Service, rescue?: string): Promise<void> {
  return runPowerCycle(context, service, 'a power cycle', cycleOffMs, rescue);
}

/** The legacy API's reboot: a power cycle with five seconds off. */
export function reboot(context: Context, service: Service): Promise<void> {
  return runPowerCycle(context, service, 'a reboot', rebootOffMs);
}

export async function setNextBoot(context: Context, service: Service, target: 'pxe' | 'cdrom' | 'bios'): Promise<void> {
  await runBmcCommand(context, serverOf(service), 'a boot device change', (bmc, signal) =>
    requireCapability(bmc, 'boot').setNext(target, signal),
  );
}

async function setPower(context: Context, service: Service, state: PowerState, purpose: string): Promise<void> {
  const server = serverOf(service);
  const way = await runServerCommand(context, server, purpose, (signal) =>
    context.app.bmcs.setPower(server, state, signal),
  );
  await recordPower(context, server, state, way === 'outlets' ? 'outlets' : 'command');
}

async function runPowerCycle(
  context: Context,
  service: Service,
  purpose: string,
  offMs: number,
  rescue?: string,
): Promise<void> {
  const { app } = context;
  const server = serverOf(service);
  const { commandMs } = await app.bmcs.waits(server);
  const input = { server, offMs, purpose, answerBy: app.clock.now() + commandMs, ...pickDefined({ rescue }) };
  const id = await app.store.transaction((queries) =>
    startServiceWork({ ...context, queries }, service, powerCycle, input),
  );
  // Off and on take a command each.
  await waitForWorkflow(app, id, 'bmc_unreachable', 2 * (commandMs - defaultWaits.commandMs));
}

async function recordPower(
  { app }: Context,
  server: string,
  state: PowerState,
  source: PowerObservation['source'],
): Promise<void> {
  const observation = { state, source, at: app.clock.now() };
  await app.store.transaction((queries) => recordServerPower(app, queries, server, observation));
}
