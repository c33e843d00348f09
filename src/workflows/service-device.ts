// What suspending, resuming and terminating a service share: the device behind it, be it a server or a machine, its power or
// its switch ports, and how both were before.
import type { Switches } from '#equipment/switches.ts';
import { Fault } from '#kernel/fault.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import type { Queries } from '#store/store.ts';
import * as machines from './machine-command.ts';
import * as servers from './server-command.ts';
import { done, wait, type StepContext, type StepResult } from './workflow.ts';

export interface ServiceDeps extends machines.MachineDeps, servers.ServerDeps {
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
  /** What others are told while it runs. */
  readonly purpose: string;
  readonly server: string | null;
  /** A machine that is there. */
  readonly machine: { readonly node: string; readonly name: string } | null;
  readonly ports: readonly ServicePort[];
  /** What is switched off. */
  readonly how: Cut;
  /** How long the operating system of a machine may take to shut down. */
  readonly graceMs: number;
}
export type Cut = 'power' | 'ports' | 'nothing';

/** What was on, and so is switched off and comes back. */
export interface Before {
  readonly power: 'on' | 'off';
  /** Ids of ports that were up. */
  readonly ports: readonly number[];
}
export const nothingBefore: Before = { power: 'off', ports: [] };

const turnMs = 5000;
const portMs = 9000;
const undoAgainMs = 5000;

const machineTarget = ({ service, purpose, machine }: ServiceTarget): machines.MachineTarget => ({
  service,
  purpose,
  node: machine!.node,
  name: machine!.name,
});

export async function lockTaken(context: ServiceContext, target: ServiceTarget): Promise<StepResult<undefined>> {
  if (target.machine !== null) return machines.lockTaken(context, machineTarget(target));
  if (target.server === null) return done();
  return servers.lockTaken(context, { server: target.server, purpose: target.purpose }, turnMs);
}

export async function lockReleased(queries: Queries, holder: string, target: ServiceTarget): Promise<void> {
  const device = target.machine?.name ?? target.server;
  if (device !== null) await deviceLockRelease(queries, device, holder);
}

export function lookedAt(context: ServiceContext, target: ServiceTarget): Promise<StepResult<Before>> {
  return machines.answered(async () => {
    if (target.how === 'ports') return done({ power: 'off' as const, ports: await portsUp(context, target) });
    if (target.how === 'nothing') return done(nothingBefore);
    return done({ power: await powerOf(context, target), ports: [] });
  });
}

async function powerOf(context: ServiceContext, target: ServiceTarget): Promise<Before['power']> {
  const { machine, server } = target;
  if (machine !== null)
    return machines.onNode(context, machine.node, (node, limit) => node.power.state(machine.name, limit));
  if (server === null) return 'off';
  return context.deps.bmcs.use(server, (bmc) => bmc.power.state(servers.within(context)));
}

async function portsUp(context: ServiceContext, { ports }: ServiceTarget): Promise<number[]> {
  const up: number[] = [];
  for (const { id, switch: name, ifIndex } of ports) {
    const state = await context.deps.switches.use(name, (device) => device.port(ifIndex, limitOf(context)));
    if (state.adminStatus === 'up') up.push(id);
  }
  return up;
}

/** A machine's operating system is asked to shut down; what else there is has nothing to be asked. */
async function asked(
  context: ServiceContext,
  target: ServiceTarget,
  { power }: Before,
): Promise<StepResult<undefined>> {
  if (target.machine === null || power === 'off') return done();
  return machines.answered(() => machines.shutdownAsked(context, machineTarget(target), power));
}

function cut(context: ServiceContext, target: ServiceTarget, before: Before): Promise<StepResult<undefined>> {
  return machines.answered(async () => {
    await portsSet(context, target, before, 'down');
    if (before.power === 'off') return done();
    if (target.machine !== null) return machines.switchedOff(context, machineTarget(target), target.graceMs);
    return servers.powerSet(context, target.server!, 'off');
  });
}

export function restored(
  context: ServiceContext,
  target: ServiceTarget,
  before: Before,
): Promise<StepResult<undefined>> {
  return machines.answered(async () => {
    await portsSet(context, target, before, 'up');
    if (before.power === 'off') return done();
    if (target.machine !== null) return machines.powerSet(context, machineTarget(target), 'on');
    return servers.powerSet(context, target.server!, 'on');
  });
}

/** On again, however long the device takes to answer. */
async function cutUndone(
  context: ServiceContext,
  target: ServiceTarget,
  before: Before | undefined,
): Promise<StepResult<undefined>> {
  if (before === undefined) return done();
  return patiently(context, target, async () => {
    await portsSet(context, target, before, 'up');
    if (before.power === 'off') return done();
    if (target.machine !== null)
      return machines.switchedOnAgain(context, machineTarget(target), before.power, target.graceMs);
    return servers.powerSet(context, target.server!, 'on');
  });
}

/** Off again, as it was while suspended. */
export function restoreUndone(
  context: ServiceContext,
  target: ServiceTarget,
  before: Before,
): Promise<StepResult<undefined>> {
  return patiently(context, target, async () => {
    await portsSet(context, target, before, 'down');
    if (before.power === 'off') return done();
    if (target.machine !== null) return machines.powerSet(context, machineTarget(target), 'off');
    return servers.powerSet(context, target.server!, 'off');
  });
}

async function patiently(
  context: ServiceContext,
  target: ServiceTarget,
  work: () => Promise<StepResult<undefined>>,
): Promise<StepResult<undefined>> {
  if (target.machine !== null) return machines.undone(context, machineTarget(target), work);
  if (target.server !== null) return servers.undone(context, { server: target.server, purpose: target.purpose }, work);
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) return wait(undoAgainMs);
    throw error;
  }
}

/** Of those that were up. */
async function portsSet(
  context: ServiceContext,
  { ports }: ServiceTarget,
  before: Before,
  status: 'up' | 'down',
): Promise<void> {
  for (const { id, switch: name, ifIndex } of ports) {
    if (!before.ports.includes(id)) continue;
    await context.deps.switches.use(name, (device) => device.setAdmin(ifIndex, status, limitOf(context)));
  }
}

function limitOf({ signal }: ServiceContext): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(portMs)]);
}

interface Looked {
  readonly look: Before;
}
const backAsItWas = (context: ServiceContext, target: ServiceTarget, { look }: Partial<Looked>) =>
  cutUndone(context, target, look);

/** The two steps that switch off what a step `look` saw on: gently first. */
export const askStep = {
  do: (context: ServiceContext, target: ServiceTarget, { look }: Looked) => asked(context, target, look),
  undo: backAsItWas,
};
export const cutStep = {
  do: (context: ServiceContext, target: ServiceTarget, { look }: Looked) => cut(context, target, look),
  undo: backAsItWas,
};
