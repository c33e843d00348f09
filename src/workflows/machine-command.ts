// What the workflows on virtual machines share: the machine they are about, its lock, and commands that are given up in time.
import type { AppendParts } from '#jobs/event-append.ts';
import { machineSeen } from '#jobs/power-seen.ts';
import type { Hypervisor, MachinePowerState } from '#drivers/hypervisor/driver.ts';
import type { Nodes } from '#equipment/nodes.ts';
import { Fault } from '#kernel/fault.ts';
import type { SecretBox } from '#kernel/secrets.ts';
import { deviceLockFind, deviceLockTake } from '#store/devices/device-locks.ts';
import { machineFind, machineName, type Machine } from '#store/devices/machines.ts';
import type { Store } from '#store/store.ts';
import { done, failed, wait, type StepContext, type StepResult } from './workflow.ts';

export interface MachineDeps extends AppendParts {
  readonly store: Store;
  readonly nodes: Nodes;
  readonly secrets: SecretBox;
}
export type MachineContext = StepContext<MachineDeps>;

/** Which machine a workflow is about, and what others are told while it runs. */
export interface MachineTarget {
  readonly service: number;
  readonly node: string;
  readonly name: string;
  readonly purpose: string;
}

const turnMs = 5000;
const lockLookMs = 100;
const lockMs = 30 * 60_000;
const commandMs = 30_000;
const lookAgainMs = 250;
const undoAgainMs = 5000;

export function targetOf({ service_id, node, vmid }: Machine & { node: string }, purpose: string): MachineTarget {
  return { service: service_id, node, name: machineName(vmid), purpose };
}

/** Waits a while for its turn. Whoever holds the lock already keeps it for another while. */
export async function lockTaken(
  { deps, workflow: holder, now, since }: MachineContext,
  { name, purpose }: MachineTarget,
): Promise<StepResult<undefined>> {
  const { queries } = deps.store;
  if (await deviceLockTake(queries, { device: name, holder, purpose, held_until: now + lockMs }, now)) return done();
  if (now - since < turnMs) return wait(lockLookMs);
  const held = await deviceLockFind(queries, name, now);
  return failed('device_busy', `The device is busy: ${held?.purpose ?? 'another command'} is running.`);
}

export function onNode<T>(
  { deps, signal }: MachineContext,
  node: string,
  work: (hypervisor: Hypervisor, signal: AbortSignal) => Promise<T>,
  milliseconds = commandMs,
): Promise<T> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
  return deps.nodes.use(node, (hypervisor) => work(hypervisor, limit));
}

export async function machineBefore(context: MachineContext, { node, name }: MachineTarget) {
  const was = await onNode(context, node, (hypervisor, limit) => hypervisor.power.state(name, limit));
  return done({ was });
}

/** Asks the operating system. One that cannot be asked is switched off without having been asked. */
export async function shutdownAsked(
  context: MachineContext,
  { node, name }: MachineTarget,
  was: MachinePowerState,
): Promise<StepResult<undefined>> {
  if (was === 'off') return done();
  try {
    await onNode(context, node, (hypervisor, limit) => hypervisor.power.requestShutdown(name, limit));
  } catch (error) {
    if (!(error instanceof Fault) || error.status === 504) throw error;
  }
  return done();
}

/** Off by itself within the time that it is given, and else by force. */
export async function switchedOff(
  context: MachineContext,
  target: MachineTarget,
  graceMs: number,
): Promise<StepResult<undefined>> {
  const { now, since } = context;
  const state = await onNode(context, target.node, (hypervisor, limit) => hypervisor.power.state(target.name, limit));
  if (state === 'on' && now - since < graceMs) return wait(lookAgainMs);
  return powerSet(context, target, 'off');
}

export async function powerSet(
  context: MachineContext,
  target: MachineTarget,
  state: MachinePowerState,
): Promise<StepResult<undefined>> {
  const { deps, account, now } = context;
  await onNode(context, target.node, (hypervisor, limit) => hypervisor.power.set(target.name, state, limit));
  return done(undefined, (queries) =>
    machineSeen(deps, queries, { account, service: target.service }, { state, source: 'command', at: now }),
  );
}

/** Undoing goes on until the node answers and the machine is free: it is not left as nobody wanted it. */
export async function undone(
  context: MachineContext,
  { name, purpose }: MachineTarget,
  work: () => Promise<StepResult<undefined>>,
): Promise<StepResult<undefined>> {
  const { deps, workflow: holder, now } = context;
  const lock = { device: name, holder, purpose, held_until: now + lockMs };
  if (!(await deviceLockTake(deps.store.queries, lock, now))) return wait(undoAgainMs);
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) return wait(undoAgainMs);
    throw error;
  }
}

/** On again after it was asked to shut down, which cannot be taken back: it is given the time to do so first. */
export async function switchedOnAgain(
  context: MachineContext,
  target: MachineTarget,
  was: MachinePowerState | undefined,
  graceMs: number,
): Promise<StepResult<undefined>> {
  if (was !== 'on') return done();
  return undone(context, target, async () => {
    const { now, since } = context;
    const state = await onNode(context, target.node, (hypervisor, limit) => hypervisor.power.state(target.name, limit));
    if (state === 'on' && now - since < graceMs) return wait(lookAgainMs);
    return powerSet(context, target, 'on');
  });
}

/** A node that refuses or is silent fails the step, in words that a customer understands. */
export async function answered<T>(work: () => Promise<StepResult<T>>): Promise<StepResult<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) return failed(error.code, error.message);
    throw error;
  }
}

/** The machine's row, which stays as long as its service. */
export async function machineRow({ deps }: MachineContext, service: number): Promise<Machine> {
  const machine = await machineFind(deps.store.queries, service);
  if (machine === undefined) throw new Error(`service ${service} has no machine`);
  return machine;
}
