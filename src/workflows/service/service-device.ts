// What suspending, resuming and terminating a service share: switching its server, virtual machine or switch ports off, and
// restoring them as they were.
import type { Switches } from '#equipment/switches.ts';
import { setBmcAccess } from '#equipment/bmc-access.ts';
import { portLockName, readPort, setPortAdmin } from '#equipment/ports.ts';
import { ApiError } from '#lib/api-error.ts';
import { isBmcAccessAllowed } from '#store/devices/bmc-users.ts';
import { deviceLockFind, deviceLockRelease } from '#store/devices/device-locks.ts';
import { machineFind, machineName } from '#store/devices/machines.ts';
import { portFind } from '#store/network/switches.ts';
import type { Queries } from '#store/store.ts';
import { cancelAndAbandon, workflowsOfService } from '#store/work/workflows.ts';
import {
  acquireDeviceLock,
  bmcTimeout,
  deviceLimit,
  lockLimit,
  placedMachineDevice,
  powerOff,
  powerOnAgain,
  requestShutdown,
  serverDevice,
  setPower,
  toStepResult,
  undoWithRetry,
  type MachineDeps,
  type ServerDeps,
  type StepDevice,
} from '../device-steps.ts';
import { abandonWorkflow, cancelWorkflow } from '../engine/runner.ts';
import { done, wait, type Done, type Settled, type StepContext, type StepResult } from '../engine/workflow.ts';

export interface ServiceDeps extends MachineDeps, ServerDeps {
  readonly switches: Switches;
}
export type ServiceContext = StepContext<ServiceDeps>;

export interface ServicePort {
  readonly id: number;
  readonly switch: string;
  readonly ifIndex: number;
}

export interface ServiceTarget {
  readonly service: number;
  /** Shown to others while it runs. */
  readonly purpose: string;
  readonly server: string | null;
  /** Null also if the machine was not yet created when the work began. */
  readonly machine: { readonly node: string; readonly name: string } | null;
  readonly ports: readonly ServicePort[];
  readonly how: Cut;
  /** How long a virtual machine's operating system may take to shut down. */
  readonly graceMs: number;
}
/** Which part of the device is switched off. */
export type Cut = 'power' | 'ports' | 'nothing';

/** The state before the service was suspended or terminated. */
export interface Before {
  readonly power: 'on' | 'off';
  /** Ids of ports that were up. */
  readonly ports: readonly number[];
}
export const nothingBefore: Before = { power: 'off', ports: [] };

async function deviceOf(context: ServiceContext, target: ServiceTarget): Promise<StepDevice | undefined> {
  const { server, service, purpose } = target;
  if (server !== null) return serverDevice(context, { server, purpose });
  const machine = await currentMachine(context.deps.store.queries, target);
  return machine === null ? undefined : placedMachineDevice(context, { service, purpose, ...machine });
}

/** Its creation may have been too far to be cancelled: then there was no machine when this work began, but now there is. */
async function currentMachine(
  queries: Queries,
  { machine, service }: ServiceTarget,
): Promise<ServiceTarget['machine']> {
  if (machine !== null) return machine;
  const created = await machineFind(queries, service);
  if (created?.state !== 'ready' || created.node === null) return null;
  return { node: created.node, name: machineName(created.vmid) };
}

/** How long the service's other work may take to be rolled back, and after that to end without being undone. */
const rollbackMs = 10 * 60_000;
/** By then, every lock that nobody renews has expired. */
const takeOverLimitMs = 3_600_000;

/**
 * Cancels the service's other work and waits until it has ended, as well as commands to its ports: what staff decide must not
 * depend on what the customer has started. Work that is not rolled back in time is abandoned, so that its undo cannot change the
 * device later.
 */
async function takeOver(
  context: ServiceContext,
  target: ServiceTarget,
  unaffected: readonly string[],
): Promise<StepResult<undefined>> {
  const { deps, workflow: own, now, since } = context;
  const running = await workflowsOfService(deps.store.queries, target.service, unaffected);
  const others = running.filter(({ id }) => id !== own);
  const waitedMs = now - since;
  const isLate = waitedMs >= rollbackMs;
  for (const { id, cancel_requested, direction } of others) {
    if (isLate ? cancel_requested === cancelAndAbandon : cancel_requested > 0 || direction === 'back') continue;
    await deps.store.transaction((queries) => (isLate ? abandonWorkflow : cancelWorkflow)(deps, queries, id));
  }
  // An instance with its version may be missing. Such work does nothing, so there is nothing to wait for.
  if (others.length > 0 && waitedMs < 2 * rollbackMs) return wait(takeOverPollMs);
  if (waitedMs < portCommandMs && (await isPortBusy(context, target))) return wait(takeOverPollMs);
  const device = await deviceOf(context, target);
  return device === undefined ? done() : acquireDeviceLock(context, device, takeOverLimitMs);
}
const takeOverPollMs = 500;
/** Longer than a command that was sent to a port before this work was accepted may take. Later ones are rejected. */
const portCommandMs = 60_000;

async function isPortBusy({ deps, now }: ServiceContext, { ports }: ServiceTarget): Promise<boolean> {
  for (const { switch: name, ifIndex } of ports) {
    const lock = portLockName({ switch: name, if_index: ifIndex });
    if ((await deviceLockFind(deps.store.queries, lock, now)) !== undefined) return true;
  }
  return false;
}

export async function releaseServiceLock(queries: Queries, holder: string, target: ServiceTarget): Promise<void> {
  const device = target.server ?? (await currentMachine(queries, target))?.name;
  if (device !== undefined) await deviceLockRelease(queries, device, holder);
}

function readBefore(context: ServiceContext, target: ServiceTarget): Promise<Settled<Before>> {
  return toStepResult(context, async () => {
    if (target.how === 'ports') return done({ power: 'off' as const, ports: await portsUp(context, target) });
    if (target.how === 'nothing') return done(nothingBefore);
    return done({ power: (await (await deviceOf(context, target))?.state()) ?? 'off', ports: [] });
  });
}

async function portsUp({ deps, signal }: ServiceContext, { ports }: ServiceTarget): Promise<number[]> {
  const up: number[] = [];
  for (const { id } of ports) {
    const port = (await portFind(deps.store.queries, id))!;
    if ((await readPort(deps, port, signal)).adminStatus === 'up') up.push(id);
  }
  return up;
}

/** Sets the ports that were up. */
async function setPorts(
  { deps, signal }: ServiceContext,
  { ports }: ServiceTarget,
  before: Before,
  status: 'up' | 'down',
): Promise<void> {
  for (const { id } of ports) {
    if (!before.ports.includes(id)) continue;
    await setPortAdmin(deps, (await portFind(deps.store.queries, id))!, status, signal);
  }
}

export interface SavedBefore {
  readonly look: Before;
}

/** Asks a virtual machine's operating system to shut down; a server is powered off without. */
async function askToShutDown(
  context: ServiceContext,
  target: ServiceTarget,
  { look: { power } }: SavedBefore,
): Promise<Settled<undefined>> {
  if (target.server !== null || power === 'off') return done();
  return toStepResult(context, async () => {
    await requestShutdown((await deviceOf(context, target))!);
    return done();
  });
}

function shutdownMs({ server, graceMs }: ServiceTarget): number {
  return server === null ? graceMs : 0;
}

function cutOff(context: ServiceContext, target: ServiceTarget, { look }: SavedBefore): Promise<StepResult<undefined>> {
  return toStepResult(context, async () => {
    await setPorts(context, target, look, 'down');
    if (look.power === 'off') return done();
    return powerOff(context, (await deviceOf(context, target))!, shutdownMs(target));
  });
}

async function undoCut(
  context: ServiceContext,
  target: ServiceTarget,
  { look }: Partial<SavedBefore>,
): Promise<StepResult<undefined>> {
  if (look === undefined) return done();
  const device = await deviceOf(context, target);
  return undoWithRetry(context, device, async () => {
    await setPorts(context, target, look, 'up');
    if (look.power === 'off') return done();
    return powerOnAgain(context, device!, shutdownMs(target));
  });
}

/** Best effort: a suspension must not depend on the BMC. Whatever fails here, reconcilers/bmc-access.ts repeats. */
async function setAccess(
  context: ServiceContext,
  { server, service }: ServiceTarget,
  isAllowed: boolean,
): Promise<Done<undefined>> {
  const { deps, signal } = context;
  try {
    if (server !== null)
      await setBmcAccess(deps, { server, service }, isAllowed, (waits) => bmcTimeout(context, waits));
  } catch (error) {
    if (!(error instanceof ApiError) || signal.aborted) throw error;
  }
  return done();
}

/** Ends the service's other work, except workflows of the given names, and locks the device. */
export function takeOverStep(unaffected: readonly string[] = []) {
  return {
    do: (context: ServiceContext, target: ServiceTarget) => takeOver(context, target, unaffected),
    undo: 'nothing',
    limit: lockLimit(takeOverLimitMs),
  } as const;
}
/** The steps that switch off what `look` found on, gently first. */
export const lookStep = { do: readBefore, undo: 'nothing' } as const;
export const askStep = { do: askToShutDown, undo: undoCut };
export const revokeStep = {
  do: (context: ServiceContext, target: ServiceTarget) => setAccess(context, target, false),
  undo: async (context: ServiceContext, target: ServiceTarget) =>
    setAccess(context, target, await isBmcAccessAllowed(context.deps.store.queries, target.service)),
};
export const cutStep = {
  do: cutOff,
  undo: undoCut,
  limit: deviceLimit(({ graceMs }: ServiceTarget) => graceMs, 'node_unreachable'),
};

/** Restores what was on before. */
export function restorePower(
  context: ServiceContext,
  target: ServiceTarget,
  before: Before,
): Promise<Settled<undefined>> {
  return toStepResult(context, async () => {
    await setPorts(context, target, before, 'up');
    return before.power === 'off' ? done() : setPower((await deviceOf(context, target))!, 'on');
  });
}

/** Returns the device to its suspended state. */
export async function undoRestore(
  context: ServiceContext,
  target: ServiceTarget,
  before: Before,
): Promise<StepResult<undefined>> {
  const device = await deviceOf(context, target);
  return undoWithRetry(context, device, async () => {
    await setPorts(context, target, before, 'down');
    return before.power === 'off' ? done() : setPower(device!, 'off');
  });
}
