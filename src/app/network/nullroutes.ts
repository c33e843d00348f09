// Null routes: the router announces that traffic to an address is dropped, at the customer's request or by the operator's policy.
// The database says what should be announced. The router is updated at once if a customer waits for it; otherwise, or if it does
// not respond, the reconciler updates it.
import type { Static } from 'typebox';
import type { Nullroute as NullrouteEntry } from '#contract/shapes/network.ts';
import { hostPrefix } from '#drivers/routes/driver.ts';
import { runDeviceCommand } from '#equipment/device-command.ts';
import { routerName, routesReconciler } from '#equipment/router.ts';
import { appendEvent, appendEvents } from '#events/append.ts';
import { readSortable, sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { dayMs } from '#lib/time.ts';
import { attackCurrent } from '#store/network/attacks.ts';
import { netblockList } from '#store/network/netblocks.ts';
import * as store from '#store/network/nullroutes.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { routerLock } from '#store/network/routers.ts';
import { routedBlocks } from '#store/network/routes.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { ceilingShares, nullroutePolicy, type NullroutePolicy } from './nullroute-policy.ts';
import type { Context, App } from '../app.ts';

const listLimit = 1000;

type Nullroute = store.Nullroute;
type NullrouteRequest = Omit<store.NewNullroute, 'created_at'>;

/** Requests null routes in the caller's transaction. Returns those that are new, in any order, and why others were rejected. */
export async function requestNullroutes(
  app: App,
  queries: Queries,
  policy: NullroutePolicy,
  requests: readonly NullrouteRequest[],
): Promise<{ readonly added: readonly Nullroute[]; readonly rejected: ReadonlyMap<string, ApiError> }> {
  if (requests.length === 0) return { added: [], rejected: new Map() };
  if (policy.policy === 'never' || !(await routerLock(queries, routerName)))
    throw new ApiError('capability_missing', { message: 'The provider does not offer null routes.' });
  const now = app.clock.now();
  const addresses = requests.map(({ address }) => address);
  const existing = new Set((await store.nullroutesOpen(queries, addresses)).map(({ address }) => address));
  const recent = await store.nullroutesSince(queries, addresses, now - dayMs);
  const isWithinCeiling = await createCeilingCheck(queries, policy);
  const rejected = new Map<string, ApiError>();
  const allowed = requests.filter((request) => {
    const { address, origin } = request;
    if (existing.has(address)) return false;
    // A customer must not be able to use up those that the policy has for an attack.
    const count = recent.filter((nullroute) => nullroute.address === address && nullroute.origin === origin).length;
    if (count >= policy.perDay)
      rejected.set(address, conflict('The address was null-routed too often in the last 24 hours. Try again later.'));
    else if (!isWithinCeiling(request)) rejected.set(address, tooMany());
    return !rejected.has(address);
  });
  const added = await store.nullroutesInsert(
    queries,
    allowed.map((request) => ({ ...request, created_at: now })),
  );
  if (added.length > 0) await reconcilerSignal(queries, routesReconciler);
  await appendEvents(
    app,
    queries,
    added.map(({ account_id: account, service_id: service, address, reason }) => {
      const data = { ip: readSortable(address), reason };
      return { account, service, type: 'network.nullroute.added' as const, data };
    }),
  );
  return { added, rejected };
}

/** Returns a check that counts the null routes it allows. */
async function createCeilingCheck(
  queries: Queries,
  { ceiling }: NullroutePolicy,
): Promise<(request: NullrouteRequest) => boolean> {
  const counts = new Map<string, number>();
  const add = (subjects: readonly string[], count: number): void => {
    for (const subject of subjects) counts.set(subject, (counts.get(subject) ?? 0) + count);
  };
  for (const { count, ...active } of await store.nullroutesActiveCounts(queries)) add(quotaSubjects(active), count);
  return (request) => {
    const { service, account, all } = ceilingShares[request.origin];
    const subjects = quotaSubjects(request);
    const shares = [service, account, all];
    if (subjects.some((subject, index) => (counts.get(subject) ?? 0) >= Math.ceil(ceiling * shares[index]!)))
      return false;
    add(subjects, 1);
    return true;
  };
}

/** Returns what the null route counts towards: its service, its account and the whole. */
function quotaSubjects({
  service_id,
  account_id,
}: Pick<NullrouteRequest, 'service_id' | 'account_id'>): readonly string[] {
  return [`service ${service_id}`, `account ${account_id}`, 'all'];
}

function tooMany(): ApiError {
  return new ApiError('nothing_free', {
    message: 'The maximum number of null routes has been reached. Remove one first.',
  });
}

/** Ends a null route in the caller's transaction, unless it has already ended or staff have taken it over since it was read. */
export async function endNullroute(app: App, queries: Queries, nullroute: Nullroute): Promise<void> {
  if (!(await store.nullrouteRemove(queries, nullroute, app.clock.now()))) return;
  await reconcilerSignal(queries, routesReconciler);
  const { account_id: account, service_id: service, address } = nullroute;
  const data = { ip: readSortable(address) };
  await appendEvent(app, queries, { account, service, type: 'network.nullroute.removed', data });
}

/** Ends null routes that have expired or whose address no longer belongs to the service. */
export async function expireNullroutes(app: App): Promise<void> {
  const list = (queries: Queries) => store.nullroutesToEnd(queries, app.clock.now());
  if ((await list(app.store.queries)).length === 0) return;
  await app.store.transaction(async (queries) => {
    // Staff extend null routes under the same lock.
    await routerLock(queries, routerName);
    for (const nullroute of await list(queries)) await endNullroute(app, queries, nullroute);
  });
}

export async function nullrouteAdd(
  context: Context,
  service: Service,
  ip: string,
): Promise<'Null-routed' | 'Null-route Pending'> {
  const address = await addressOf(context, service, ip);
  return addNullroute(context, await nullroutePolicy(context.queries), {
    address,
    account_id: service.account_id,
    service_id: service.id,
    origin: 'customer',
    reason: 'Requested by the customer',
    ends_at: null,
  });
}

/** Adds a null route and announces it at once if the router responds. */
export async function addNullroute(
  context: Context,
  policy: NullroutePolicy,
  request: Omit<NullrouteRequest, 'attack_id'>,
): Promise<'Null-routed' | 'Null-route Pending'> {
  const { app } = context;
  const { address, account_id } = request;
  const nullroute = await app.store.transaction(async (queries) => {
    const attack = await attackCurrent(queries, account_id, address);
    const { added, rejected } = await requestNullroutes(app, queries, policy, [
      { ...request, attack_id: attack?.id ?? null },
    ]);
    const error = rejected.get(address);
    if (error !== undefined) throw error;
    if (request.origin === 'operator')
      await store.nullroutesTakeOver(queries, [address], { reason: request.reason, ends_at: request.ends_at });
    return added[0] ?? (await store.nullrouteOpen(queries, address));
  });
  const isOpen = async (): Promise<boolean> =>
    nullroute !== undefined && (await store.nullrouteOpen(context.queries, address))?.id === nullroute.id;
  const isSent = await updateRouter(context, async (signal) => {
    if (!(await isOpen())) return;
    const route = { prefix: hostPrefix(readSortable(address)), nextHop: undefined };
    await app.router.use((router) => router.announce([route], signal));
    await store.nullroutesMarkAnnounced(context.queries, [nullroute!.id], app.clock.now());
  });
  if (!(await isOpen())) throw conflict('The null route was removed by another request.');
  return isSent ? 'Null-routed' : 'Null-route Pending';
}

export async function nullrouteRemove(context: Context, service: Service, ip: string) {
  const address = await addressOf(context, service, ip);
  const nullroute = requireFound(await store.nullrouteOpen(context.queries, address));
  if (nullroute.origin !== 'customer')
    throw conflict('The provider set this null route. Contact support to have it removed.');
  return removeNullroute(context, nullroute);
}

/** Removes a null route and withdraws it at once if the router responds. */
export async function removeNullroute(
  context: Context,
  nullroute: Nullroute,
): Promise<'Null-route Removed' | 'Null-route Removal Pending'> {
  const { app } = context;
  const { address } = nullroute;
  await app.store.transaction(async (queries) => {
    await endNullroute(app, queries, nullroute);
    if ((await store.nullrouteOpen(queries, address))?.id === nullroute.id)
      throw conflict('The null route was changed by another request. Try again.');
  });
  const isSent = await updateRouter(context, async (signal) => {
    // Another request may have added it again.
    if ((await store.nullrouteOpen(context.queries, address)) !== undefined) return;
    const prefix = hostPrefix(readSortable(address));
    const nextHop = (await routedBlocks(context.queries, 'in a transaction')).get(prefix);
    await app.router.use((router) =>
      nextHop === undefined ? router.withdraw([prefix], signal) : router.announce([{ prefix, nextHop }], signal),
    );
    await store.nullroutesMarkWithdrawn(context.queries, [nullroute.id], app.clock.now());
  });
  return isSent ? 'Null-route Removed' : 'Null-route Removal Pending';
}

export async function nullrouteList(context: Context, service: Service): Promise<Static<typeof NullrouteEntry>[]> {
  const rows = await store.nullroutesOfService(context.queries, service.account_id, service.id, listLimit);
  return rows.map((nullroute) => ({
    ip: readSortable(nullroute.address),
    start: seconds(nullroute.announced_at ?? nullroute.created_at),
    end: seconds(nullroute.withdrawn_at ?? nullroute.removed_at ?? nullroute.ends_at ?? 0),
    active: isActive(nullroute) ? '1' : '0',
    reason: nullroute.reason,
  }));
}

/** Returns whether the router announced it when last read. */
export function isActive({ announced_at, withdrawn_at }: Nullroute): boolean {
  return announced_at !== null && withdrawn_at === null;
}

export function seconds(milliseconds: number): string {
  return String(Math.floor(milliseconds / 1000));
}

/** Checks that the address belongs to this service; any other does not exist for the caller. */
async function addressOf(context: Context, service: Service, ip: string): Promise<string> {
  const address = sortableAddress(parseAddress(ip)!);
  const blocks = await netblockList(context.queries, service.account_id, service.id);
  if (!blocks.some(({ first, last }) => first <= address && address <= last)) throw new ApiError('not_found');
  return address;
}

/** Returns false if the router could not be updated now: the reconciler will do it. */
async function updateRouter(
  { app, caller }: Context,
  command: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  try {
    const lock = { device: routerName, holder: caller.requestId, purpose: 'a null-route change' };
    await runDeviceCommand(app, lock, command);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    app.log.warn({ code: error.code, internal: error.internal }, 'could not send a null route to the router yet');
    app.router.requestSync();
    return false;
  }
}
