// What workflows on servers and virtual machines share: the device's lock, its power, and patience with a device that does
// not respond. A step that the process stop interrupts throws, so that the workflow continues after the restart.
import type { AppendParts } from '#events/append.ts';
import { recordMachinePower, recordServerPower } from '#events/power-observations.ts';
import { ignoreMissing, requireCapability, type BootTarget, type PowerState } from '#drivers/bmc/driver.ts';
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import { commandTimeout, isUnreachable, lockForWorkflow, lockRetryMs, lockWaitMs } from '#equipment/device-command.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import type { Waits } from '#equipment/waits.ts';
import { ApiError, operatorMessage } from '#lib/api-error.ts';
import { growingDelay } from '#lib/delays.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { machineFind, machineName, type Machine } from '#store/devices/machines.ts';
import type { Feed } from '#store/feed.ts';
import type { Queries, Store } from '#store/store.ts';
import {
  done,
  failed,
  wait,
  type Done,
  type Failure,
  type StepContext,
  type StepResult,
  type WaitLimit,
} from './engine/workflow.ts';

export interface DeviceDeps extends AppendParts {
  readonly store: Store;
}
export interface ServerDeps extends DeviceDeps {
  readonly bmcs: Bmcs;
}
export interface MachineDeps extends DeviceDeps {
  readonly hypervisors: Hypervisors;
  readonly secrets: SecretBox;
  readonly leaseFeed: Feed<string>;
}
export type DeviceContext = StepContext<DeviceDeps>;
export type ServerContext = StepContext<ServerDeps>;
export type MachineContext = StepContext<MachineDeps>;

/** As stored in a workflow's input. `purpose` is shown to others while it runs. */
export interface ServerTarget {
  readonly server: string;
  readonly purpose: string;
}
export interface MachineTarget {
  readonly service: number;
  readonly node: string;
  readonly name: string;
  readonly purpose: string;
}

/** A server or a virtual machine during one step. */
export interface StepDevice {
  readonly name: string;
  readonly purpose: string;
  /** How often to look whether it has shut down. */
  readonly pollMs: number;
  state(): Promise<PowerState>;
  set(state: PowerState): Promise<void>;
  requestShutdown(): Promise<void>;
  recordPower(queries: Queries, state: PowerState): Promise<unknown>;
}

/** How much longer a step may take than a command of an API caller. */
const stepMarginMs = 1000;
/** The share of a command for a step that runs after a crash, when the caller's time has long passed. */
const shortestShare = 3 / 8;
const hypervisorTimeoutMs = 30_000;
const unreachableRetryMs = 2000;
const discardRetryMs = 60_000;
const undoRetry = { shortestMs: 5000, longestMs: 60_000 };

/** `remainingMs` is what the API caller has left to wait. */
export function bmcTimeout(
  { signal }: ServerContext,
  { commandMs }: Pick<Waits, 'commandMs'>,
  remainingMs = Infinity,
): AbortSignal {
  return commandTimeout(signal, Math.min(commandMs + stepMarginMs, Math.max(commandMs * shortestShare, remainingMs)));
}

export function serverDevice(context: ServerContext, target: ServerTarget, remainingMs?: number): StepDevice {
  const { deps, now } = context;
  const { server, purpose } = target;
  const limit = (waits: Waits): AbortSignal => bmcTimeout(context, waits, remainingMs);
  return {
    name: server,
    purpose,
    pollMs: 1000,
    state: () => deps.bmcs.use(server, ({ power }, waits) => power.state(limit(waits))),
    set: (state) => deps.bmcs.use(server, ({ power }, waits) => power.set(state, limit(waits))),
    requestShutdown: () => deps.bmcs.use(server, ({ power }, waits) => power.requestShutdown(limit(waits))),
    recordPower: (queries, state) => recordServerPower(deps, queries, server, { state, source: 'command', at: now }),
  };
}

export function machineDevice(context: MachineContext, { service, node, name, purpose }: MachineTarget): StepDevice {
  const { deps, account, now } = context;
  return {
    name,
    purpose,
    pollMs: 250,
    state: () => useHypervisor(context, node, ({ power }, limit) => power.state(name, limit)),
    set: (state) => useHypervisor(context, node, ({ power }, limit) => power.set(name, state, limit)),
    requestShutdown: () => useHypervisor(context, node, ({ power }, limit) => power.requestShutdown(name, limit)),
    recordPower: (queries, state) =>
      recordMachinePower(deps, queries, { account, service }, { state, source: 'command', at: now }),
  };
}

/** The machine on the hypervisor that it is on now: it may have migrated since the workflow was started. */
export function placedMachineDevice(context: MachineContext, target: MachineTarget): StepDevice {
  const current = async (): Promise<StepDevice> => {
    const node = (await machineFind(context.deps.store.queries, target.service))?.node ?? target.node;
    return machineDevice(context, { ...target, node });
  };
  return {
    ...machineDevice(context, target),
    state: async () => (await current()).state(),
    set: async (state) => (await current()).set(state),
    requestShutdown: async () => (await current()).requestShutdown(),
  };
}

export function useHypervisor<T>(
  { deps, signal }: MachineContext,
  node: string,
  work: (hypervisor: Hypervisor, limit: AbortSignal) => Promise<T>,
  timeoutMs = hypervisorTimeoutMs,
): Promise<T> {
  const limit = commandTimeout(signal, timeoutMs);
  return deps.hypervisors.use(node, (hypervisor) => work(hypervisor, limit));
}

export function machineTarget({ service_id, node, vmid }: Machine & { node: string }, purpose: string): MachineTarget {
  return { service: service_id, node, name: machineName(vmid), purpose };
}

/** Returns the machine's row, which exists as long as its service. */
export async function machineRow({ deps }: MachineContext, service: number): Promise<Machine> {
  const machine = await machineFind(deps.store.queries, service);
  if (machine === undefined) throw new Error(`service ${service} has no machine`);
  return machine;
}

export function setNextBoot(context: ServerContext, server: string, target: BootTarget): Promise<void> {
  return context.deps.bmcs.use(server, (bmc, waits) =>
    requireCapability(bmc, 'boot').setNext(target, bmcTimeout(context, waits)),
  );
}

/** Lets the server boot as usual. A BMC that cannot select a boot device has no choice to clear. */
export function clearNextBoot(context: ServerContext, server: string): Promise<void> {
  return ignoreMissing(setNextBoot(context, server, 'none'));
}

type Lockable = Pick<StepDevice, 'name' | 'purpose'>;

/** The limit of a step that acquires the device's lock. */
export function lockLimit(ms: number): WaitLimit<unknown> {
  return { ms, code: 'device_busy', reason: 'The device stayed busy with another command.' };
}

/** The limit of a step that is patient with a device. */
export function deviceLimit<Input>(ms: WaitLimit<Input>['ms'], code: WaitLimit<Input>['code']): WaitLimit<Input> {
  return { ms, code, reason: 'The device took too long.' };
}

/** Waits for the lock for a while, or fails with `device_busy`. Extends a lock that the workflow already holds. */
export async function acquireDeviceLock(
  context: DeviceContext,
  device: Lockable,
  waitMs = lockWaitMs,
): Promise<StepResult<undefined>> {
  const { now, since } = context;
  const busy = await lockError(context, device);
  if (busy === undefined) return done();
  return now - since < waitMs ? wait(lockRetryMs) : failedBy(busy);
}

export const machineLockStep = {
  async do(context: MachineContext, input: MachineTarget) {
    const result = await acquireDeviceLock(context, input);
    if (result.kind !== 'done') return result;
    // It may have migrated since the workflow was started. A command to what is left of it there could start it twice.
    const { node } = await machineRow(context, input.service);
    return node === input.node
      ? result
      : failed('state_conflict', 'The machine has moved to another hypervisor. Try again.');
  },
  undo: 'nothing',
  limit: lockLimit(lockWaitMs),
} as const;

/** Returns false if another command holds the lock now. */
export async function extendDeviceLock(context: DeviceContext, device: Lockable): Promise<boolean> {
  return (await lockError(context, device)) === undefined;
}

async function lockError(
  { deps, workflow: holder, now }: DeviceContext,
  { name, purpose }: Lockable,
): Promise<ApiError | undefined> {
  try {
    await lockForWorkflow(deps.store.queries, { device: name, holder, purpose }, now);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

export async function setPower(device: StepDevice, state: PowerState): Promise<Done<undefined>> {
  await device.set(state);
  return done(undefined, async (queries) => void (await device.recordPower(queries, state)));
}

/** Asks the operating system to shut down. Returns false if it cannot be asked. */
export async function requestShutdown(device: StepDevice): Promise<boolean> {
  try {
    await device.requestShutdown();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || isUnreachable(error)) throw error;
    return false;
  }
}

/** Gives the operating system time to shut down, then cuts the power. */
export async function powerOff(context: DeviceContext, device: StepDevice, graceMs: number) {
  return (await isShuttingDown(context, device, graceMs)) ? wait(device.pollMs) : setPower(device, 'off');
}

/** Powers a device on that was asked to shut down. The request cannot be withdrawn, so the device gets time to comply first. */
export async function powerOnAgain(context: DeviceContext, device: StepDevice, graceMs: number) {
  return (await isShuttingDown(context, device, graceMs)) ? wait(device.pollMs) : setPower(device, 'on');
}

async function isShuttingDown({ now, since }: DeviceContext, device: StepDevice, graceMs: number): Promise<boolean> {
  return now - since < graceMs && (await device.state()) === 'on';
}

type ShutdownInput = MachineTarget & { readonly graceMs: number };
interface PowerBefore {
  readonly look: { readonly was: PowerState };
}

/** The `ask` and `off` steps of a workflow that shuts a virtual machine down, whose step `look` saved its power state. */
export const machineAskStep = {
  do: (context: MachineContext, input: ShutdownInput, { look }: PowerBefore) =>
    toStepResult(context, async () => {
      if (look.was === 'on') await requestShutdown(machineDevice(context, input));
      return done();
    }),
  undo: async (context: MachineContext, input: ShutdownInput, { look }: Partial<PowerBefore>) => {
    const device = machineDevice(context, input);
    if (look?.was !== 'on') return done();
    return undoWithRetry(context, device, () => powerOnAgain(context, device, input.graceMs));
  },
};
export const machineOffStep = {
  do: (context: MachineContext, input: ShutdownInput) =>
    toStepResult(context, () => powerOff(context, machineDevice(context, input), input.graceMs)),
  undo: 'nothing',
  limit: deviceLimit(({ graceMs }: ShutdownInput) => graceMs, 'node_unreachable'),
} as const;

/** Powers a machine on that was on before. */
export const onAgainStep = {
  do: (context: MachineContext, input: MachineTarget, { look }: PowerBefore) =>
    toStepResult(context, async () => (look.was === 'on' ? setPower(machineDevice(context, input), 'on') : done())),
  undo: (context: MachineContext, input: MachineTarget, { look }: Partial<PowerBefore>) =>
    undoWithRetry(context, input, async () =>
      look?.was === 'on' ? setPower(machineDevice(context, input), 'off') : done(),
    ),
};

/** Fails the step with the device's error. */
export function toStepResult<Result>(context: DeviceContext, work: () => Promise<Result>): Promise<Result | Failure> {
  return catchDeviceError(context, work, failedBy);
}

/** Tolerates a device that stops responding in the middle of a long operation, for up to `limitMs`. */
export function retryWhileUnreachable<T>(
  context: DeviceContext,
  limitMs: number,
  work: () => Promise<StepResult<T>>,
): Promise<StepResult<T>> {
  const isEarly = context.now - context.since < limitMs;
  return catchDeviceError(context, work, (error) =>
    error.status >= 500 && isEarly ? wait(unreachableRetryMs, operatorMessage(error)) : failedBy(error),
  );
}

/** Does the same with a device that the workflow has locked: the lock would expire during a long wait. */
export async function retryUnderLock<T>(
  context: DeviceContext,
  device: Lockable,
  limitMs: number,
  work: () => Promise<StepResult<T>>,
): Promise<StepResult<T>> {
  return (await extendDeviceLock(context, device))
    ? retryWhileUnreachable(context, limitMs, work)
    : failed('device_busy', 'Another command took over the server.');
}

/** Retries until the device responds, so that a failed operation never leaves it in the wrong state. The device stays locked
 * until then; if the lock has expired and another command holds it, waits for that one. */
export async function undoWithRetry(
  context: DeviceContext,
  device: Lockable | undefined,
  work: () => Promise<StepResult<undefined>>,
): Promise<StepResult<undefined>> {
  const rollback = device && { name: device.name, purpose: `the rollback of ${device.purpose}` };
  const retryMs = growingDelay(context.now - context.since, undoRetry);
  if (rollback !== undefined && !(await extendDeviceLock(context, rollback))) return wait(retryMs);
  return catchDeviceError(context, work, (error) => wait(retryMs, operatorMessage(error)));
}

/** Removes a copy that an operation needed which has succeeded, or leaves it if that fails for as long as `limitMs`. */
export function discardWithRetry(
  context: DeviceContext,
  limitMs: number,
  work: () => Promise<StepResult<undefined>>,
): Promise<StepResult<undefined>> {
  const isEarly = context.now - context.since < limitMs;
  return catchDeviceError(context, work, (error) => (isEarly ? wait(discardRetryMs, operatorMessage(error)) : done()));
}

function failedBy(error: ApiError): Failure {
  return failed(error.code, error.message, operatorMessage(error));
}

async function catchDeviceError<Result, ErrorResult>(
  { signal }: DeviceContext,
  work: () => Promise<Result>,
  resultOf: (error: ApiError) => ErrorResult,
): Promise<Result | ErrorResult> {
  try {
    return await work();
  } catch (error) {
    // An aborted command says nothing about the device: the step runs again.
    if (!(error instanceof ApiError) || signal.aborted) throw error;
    return resultOf(error);
  }
}
