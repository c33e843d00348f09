// The steps of reclaiming a server. Each can run again after a crash: it looks at the equipment before it acts, and reads back
// what it wrote.
import { ignoreMissing, requireCapability } from '#drivers/bmc/driver.ts';
import { setPortAdmin } from '#equipment/ports.ts';
import type { Switches } from '#equipment/switches.ts';
import type { ReclaimStep } from '#contract/states/servers.ts';
import { countText } from '#lib/count-text.ts';
import type { AccountId } from '#store/account-id.ts';
import { bmcUsersRemoveOf } from '#store/devices/bmc-users.ts';
import { consoleTicketsRemoveOf } from '#store/devices/console-tickets.ts';
import { deviceImageRemove } from '#store/devices/device-images.ts';
import { vncSessionsRemoveOf } from '#store/devices/vnc-sessions.ts';
import {
  isReclaimStepDone,
  reclaimFind,
  reclaimFindings,
  reclaimLoad,
  eraseFindings,
  type EraseFindings,
  type Finding,
  type Findings,
  type Reclaim,
} from '#store/devices/reclaims.ts';
import { eraseLoad, reloadMove, reloadUpdate, reloadsEndOn } from '#store/devices/reloads.ts';
import { serialHistoryClear } from '#store/devices/serial-lines.ts';
import { serverDisks, serverFind, serverNextPasswordSet, serverPasswordRotate } from '#store/devices/servers.ts';
import { portsOfServer } from '#store/network/switches.ts';
import type { Queries } from '#store/store.ts';
import {
  bmcTimeout,
  clearNextBoot,
  deviceLimit,
  retryUnderLock,
  serverDevice,
  setNextBoot,
  setPower,
  undoWithRetry,
  type ServerDeps,
  type ServerTarget,
} from '../device-steps.ts';
import {
  done,
  failed,
  wait,
  type Settled,
  type StepContext,
  type StepResult,
  type WaitLimit,
} from '../engine/workflow.ts';

/** Supplied by the app, which knows the site file, zones and certificates. */
export interface ReclaimActions {
  /** The provider's BMC users, without the one that Hostyard signs in with. */
  providerBmcUsers(queries: Queries): Promise<readonly string[]>;
  /** True if the site file asks for a new BMC password for every customer. */
  rotatesBmcPassword(queries: Queries): Promise<boolean>;
  /** Throws `capability_missing` if the site has no erasing system. */
  requireEraser(queries: Queries): Promise<unknown>;
  /** Writes the boot order of the erasing system. */
  orderErase(queries: Queries, order: EraseOrder): Promise<void>;
  /** Removes what the service left in DNS, on routers and in queues. Safe to repeat. */
  removeTraces(account: AccountId, service: number): Promise<void>;
  issueCertificate(queries: Queries, reclaim: Reclaim): Promise<void>;
}
export interface EraseOrder {
  readonly id: string;
  readonly workflow: string;
  readonly server: string;
  readonly account: AccountId;
  readonly service: number;
}

export interface ReclaimDeps extends ServerDeps {
  readonly switches: Switches;
  readonly reclaims: ReclaimActions;
}
export interface ReclaimInput extends ServerTarget {
  /** The id of its row in `reclaims`. */
  readonly reclaim: string;
}
export type Context = StepContext<ReclaimDeps>;

/** The longest that a model of BMC may be unreachable before the server is quarantined. */
const longestUnreachableMs = 3_600_000;
/** Slow firmware takes minutes until it requests its boot script. */
const bootMs = 20 * 60_000;
/** The erasing system reports every few seconds, however long the disks take. */
const silenceMs = 10 * 60_000;
const eraseMs = 14 * 86_400_000;
const shortestPollMs = 200;
const longestPollMs = 5000;

export type StepFinding = Omit<Finding, 'at'>;

export const unreachableLimit = deviceLimit(longestUnreachableMs, 'reclaim_failed');
export const eraseLimit = {
  ms: eraseMs,
  code: 'reclaim_failed',
  reason: 'The disks were not erased within 14 days.',
} as const;

/** A step that is done once it has findings, also those of an earlier attempt or of the engineer who signed it off. */
export function reclaimStep(
  step: ReclaimStep,
  work: (context: Context, input: ReclaimInput) => Promise<StepResult<StepFinding>>,
  limit: WaitLimit<unknown> = unreachableLimit,
) {
  return {
    limit,
    async do(context: Context, input: ReclaimInput): Promise<StepResult<undefined>> {
      if (await hasFinding(context, input, step)) return done();
      const result = await tolerantly(context, input, () => work(context, input));
      if (result.kind !== 'done') return result;
      return done(undefined, async (queries) => {
        await result.write?.(queries);
        await reclaimFind(queries, input.reclaim, step, { at: context.now, ...result.output });
      });
    },
    undo: 'nothing',
  } as const;
}

async function tolerantly<T>(
  context: Context,
  input: ReclaimInput,
  work: () => Promise<StepResult<T>>,
): Promise<StepResult<T>> {
  const { restartMs } = await context.deps.bmcs.waits(input.server);
  return retryUnderLock(context, serverDevice(context, input), restartMs, work);
}

export async function findingsOf({ deps }: Context, { reclaim }: ReclaimInput): Promise<Findings> {
  return reclaimFindings.decode((await reclaimLoad(deps.store.queries, reclaim))!.findings);
}

async function hasFinding(context: Context, input: ReclaimInput, step: ReclaimStep): Promise<boolean> {
  return isReclaimStepDone(await findingsOf(context, input), step);
}

export async function isolate(context: Context, input: ReclaimInput): Promise<StepResult<StepFinding>> {
  const device = serverDevice(context, input);
  await device.set('off');
  const ports = await setPorts(context, input, 'down');
  return done({ ports }, async (queries) => void (await device.recordPower(queries, 'off')));
}

/** Returns the number of ports. */
async function setPorts({ deps, signal }: Context, { server }: ReclaimInput, status: 'up' | 'down'): Promise<number> {
  const ports = await portsOfServer(deps.store.queries, server);
  for (const port of ports) await setPortAdmin(deps, port, status, signal);
  return ports.length;
}

export async function draftPassword(context: Context, input: ReclaimInput): Promise<Settled<undefined>> {
  const { deps } = context;
  const { queries } = deps.store;
  const { bmc_next_password } = (await serverFind(queries, input.server))!;
  const isWanted = await deps.reclaims.rotatesBmcPassword(queries);
  if (!isWanted || bmc_next_password !== null || (await hasFinding(context, input, 'users'))) return done();
  const sealed = await deps.bmcs.draftPassword(input.server);
  return done(undefined, (inside) => serverNextPasswordSet(inside, input.server, sealed));
}

/** Gives the BMC the password that was stored before, unless it has it already. */
export async function rotatePassword(context: Context, input: ReclaimInput): Promise<StepResult<undefined>> {
  const { bmcs, store } = context.deps;
  const { server } = input;
  const { bmc_next_password: sealed } = (await serverFind(store.queries, server))!;
  if (sealed === null) return done();
  return tolerantly(context, input, async () => {
    const { password, settings } = await bmcs.readDraft(server, sealed);
    const waits = await bmcs.waits(server);
    const isAccepted = (): Promise<boolean> => bmcs.accepts(server, password, bmcTimeout(context, waits));
    if (!(await isAccepted())) {
      // An engineer answers for the users of the BMC, also for its password.
      if ((await findingsOf(context, input)).users?.signedOff !== undefined) return done();
      const [name] = await bmcs.userNames(server);
      await bmcs.use(server, (bmc) =>
        requireCapability(bmc, 'users').setPassword(name!, password, bmcTimeout(context, waits)),
      );
      if (!(await isAccepted())) return failed('reclaim_failed', 'The BMC does not accept its new password.');
    }
    return done(undefined, (queries) => serverPasswordRotate(queries, server, settings));
  });
}

interface UsersFound {
  readonly removed: number;
  readonly remaining: number;
}

export async function removeUsers(context: Context, input: ReclaimInput): Promise<Settled<UsersFound>> {
  const { deps } = context;
  const { server } = input;
  const { removed = 0 } = (await findingsOf(context, input)).users ?? {};
  const provider = new Set([
    ...(await deps.bmcs.userNames(server)),
    ...(await deps.reclaims.providerBmcUsers(deps.store.queries)),
  ]);
  return deps.bmcs.use(server, async (bmc, waits): Promise<Settled<UsersFound>> => {
    const users = requireCapability(bmc, 'users');
    const foreign = async (): Promise<{ all: readonly string[]; foreign: string[] }> => {
      const all = await users.list(bmcTimeout(context, waits));
      return { all, foreign: all.filter((name) => !provider.has(name)) };
    };
    const before = await foreign();
    for (const name of before.foreign) await users.remove(name, bmcTimeout(context, waits));
    const after = await foreign();
    if (after.foreign.length > 0)
      return failed('reclaim_failed', `The BMC still has ${countText(after.foreign.length, 'foreign user')}.`);
    const finding = { removed: removed + before.foreign.length, remaining: after.all.length };
    return done(finding, (queries) => bmcUsersRemoveOf(queries, server));
  });
}

export async function endSessions(
  context: Context,
  { server, reclaim }: ReclaimInput,
): Promise<StepResult<StepFinding>> {
  const { deps } = context;
  const { service_id: service } = (await reclaimLoad(deps.store.queries, reclaim))!;
  await clearNextBoot(context, server);
  const isEmpty = await deps.bmcs.use(server, async ({ media }, waits) => {
    // Also of a BMC without virtual media, or without the licence for it.
    const hasImage = async (): Promise<boolean> =>
      (await ignoreMissing(media?.currentImage(bmcTimeout(context, waits)))) !== undefined;
    if (await hasImage()) await media!.eject(bmcTimeout(context, waits));
    return !(await hasImage());
  });
  if (!isEmpty) return failed('reclaim_failed', 'The BMC still has an image in its virtual drive.');
  return done({}, async (queries) => {
    await consoleTicketsRemoveOf(queries, service);
    await vncSessionsRemoveOf(queries, service);
    await deviceImageRemove(queries, service);
    await serialHistoryClear(queries, server);
    await reloadsEndOn(queries, server, context.now);
  });
}

interface SavedBoot {
  /** Undefined if the disks are not erased, or were before. */
  readonly order: { readonly boot: string | undefined };
}

export async function orderErase(context: Context, input: ReclaimInput): Promise<StepResult<SavedBoot['order']>> {
  const { deps, workflow: id, account } = context;
  const { server, reclaim } = input;
  if (await hasFinding(context, input, 'erase')) return done({ boot: undefined });
  const { erase } = (await serverFind(deps.store.queries, server))!;
  if (erase === 0)
    return done({ boot: undefined }, (queries) => reclaimFind(queries, reclaim, 'erase', { at: context.now }));
  return tolerantly(context, input, async () => {
    await deps.reclaims.requireEraser(deps.store.queries);
    await serverDevice(context, input).set('off');
    await setPorts(context, input, 'up');
    await setNextBoot(context, server, 'pxe');
    const { service_id: service } = (await reclaimLoad(deps.store.queries, reclaim))!;
    const order = { id, workflow: id, server, account, service };
    return done({ boot: id }, async (queries) => {
      // Also if staff signed off the step that ends sessions: a rescue system that still runs would be in the way.
      await reloadsEndOn(queries, server, context.now);
      await deps.reclaims.orderErase(queries, order);
    });
  });
}

export function bootEraser(
  context: Context,
  input: ReclaimInput,
  { order }: SavedBoot,
): Promise<StepResult<undefined>> {
  return tolerantly(context, input, async () =>
    order.boot === undefined ? done() : setPower(serverDevice(context, input), 'on'),
  );
}

/** Cuts the server off and lets it boot nothing, so that a quarantined server does nothing at all. */
export function stopErasing(context: Context, input: ReclaimInput): Promise<StepResult<undefined>> {
  const device = serverDevice(context, input);
  return undoWithRetry(context, device, async () => {
    // The former customer's system may run. It reaches nothing if either its BMC or its switches respond.
    const cuts = [setPower(device, 'off'), setPorts(context, input, 'down')] as const;
    await Promise.allSettled(cuts);
    const [off] = await Promise.all(cuts);
    await clearNextBoot(context, input.server);
    return off;
  });
}

export async function followErase(context: Context, { server }: ReclaimInput): Promise<StepResult<StepFinding>> {
  const { deps, now, since, workflow: id } = context;
  const boot = (await eraseLoad(deps.store.queries, id))!;
  if (boot.outcome === 'Failed') return failed('reclaim_failed', `The erasing system failed: ${boot.message}`);
  if (boot.outcome === 'Completed') {
    const { disks } = (await serverFind(deps.store.queries, server))!;
    return checkErased(serverDisks.decode(disks), eraseFindings.decode(boot.findings ?? 'null'));
  }
  const [leftMs, problem] =
    boot.reported_at === null
      ? [since + bootMs - now, 'The server did not boot the erasing system.']
      : [boot.reported_at + silenceMs - now, 'The erasing system stopped reporting.'];
  if (leftMs <= 0) return failed('reclaim_failed', problem);
  return wait(Math.min(leftMs, longestPollMs, Math.max(shortestPollMs, (now - since) / 20)));
}

/** A disk that is gone fails this step: if it comes back, it has to be erased. */
function checkErased(
  recorded: readonly { readonly serial: string }[],
  { disks, memoryMb }: EraseFindings,
): StepResult<StepFinding> {
  if (disks.length === 0) return failed('reclaim_failed', 'The erasing system found no disk.');
  const unerased = disks.filter(({ isErased }) => !isErased).map(({ serial }) => serial);
  if (unerased.length > 0) return failed('reclaim_failed', `Not erased: disk ${unerased.join(', ')}.`);
  const found = new Set(disks.map(({ serial }) => serial.replaceAll(' ', '')));
  const missing = recorded.map(({ serial }) => serial).filter((serial) => !found.has(serial.replaceAll(' ', '')));
  if (missing.length > 0) return failed('reclaim_failed', `Disk ${missing.join(', ')} is missing.`);
  return done({ disks, memoryMb });
}

/** Leaves the server off, without a choice of what to boot. */
export function stopEraser(
  context: Context,
  input: ReclaimInput,
  { order }: SavedBoot,
): Promise<StepResult<undefined>> {
  return tolerantly(context, input, async () => {
    const { boot } = order;
    if (boot !== undefined) await clearNextBoot(context, input.server);
    const off = await setPower(serverDevice(context, input), 'off');
    const again = await removeUsersAgain(context, input);
    if (again.kind === 'failed') return again;
    return done(undefined, async (queries) => {
      await off.write?.(queries);
      await again.write?.(queries);
      if (boot !== undefined) await endErase(queries, boot, 'Completed', context.now);
    });
  });
}

/** If a network boot failed since the step `users`, the former customer's system ran, and could add users again. */
async function removeUsersAgain(context: Context, input: ReclaimInput): Promise<Settled<undefined>> {
  const at = context.now;
  const { users } = await findingsOf(context, input);
  if (users?.signedOff !== undefined) return done();
  // However this fails, staff are asked about the users.
  await context.deps.store.transaction((queries) =>
    reclaimFind(queries, input.reclaim, 'users', { ...users, at, isOpen: true }),
  );
  const again = await removeUsers(context, input);
  if (again.kind === 'failed') return again;
  return done(undefined, async (queries) => {
    await again.write?.(queries);
    await reclaimFind(queries, input.reclaim, 'users', { at, ...again.output });
  });
}

export async function endErase(
  queries: Queries,
  boot: string,
  outcome: 'Completed' | 'Failed',
  now: number,
): Promise<void> {
  await reloadMove(queries, boot, outcome, { ended_at: now });
  await reloadUpdate(queries, boot, { open: 0 });
}

export async function removeRecords(context: Context, input: ReclaimInput): Promise<StepResult<StepFinding>> {
  const { deps, account } = context;
  const { service_id: service } = (await reclaimLoad(deps.store.queries, input.reclaim))!;
  // The next customer expects a network. Until then, the server is powered off and has nothing to boot.
  await setPorts(context, input, 'up');
  await deps.reclaims.removeTraces(account, service);
  return done({});
}
