// Null-routes: an address of a service is announced as leading nowhere, for its customer or by the operator's policy. The
// database is the authority. What is written here is what is wanted; the router is told at once where a customer waits for
// it, and otherwise, or where it does not answer, by the reconciler.
import type { Static } from 'typebox';
import type { Nullroute as ShownNullroute } from '#contract/shapes/network.ts';
import { withDeviceLock } from '#equipment/locks.ts';
import { routerName, routesReconciler } from '#equipment/router.ts';
import { eventAppend, eventsAppend } from '#jobs/event-append.ts';
import { readSortable, sortableAddress } from '#kernel/address-ranges.ts';
import { parseAddress } from '#kernel/addresses.ts';
import { Fault } from '#kernel/fault.ts';
import { attackUnderWay } from '#store/network/attacks.ts';
import { netblockList } from '#store/network/netblocks.ts';
import * as store from '#store/network/nullroutes.ts';
import type { NewNullroute, Nullroute } from '#store/network/nullroutes.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { routerLock } from '#store/network/routers.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { nullroutePolicy, type NullroutePolicy } from './nullroute-policy.ts';
import type { Context, Yard } from '../yard.ts';

const dayMs = 86_400_000;
/** A router that does not answer is given up in time for an answer within ten seconds. */
const commandMs = 8000;
const listed = 1000;

type Wanted = Omit<NewNullroute, 'created_at'>;

/** In the caller's transaction: the null-routes that were not there, in any order, and why each of the others was refused. */
export async function nullroutesWant(
  yard: Yard,
  queries: Queries,
  policy: NullroutePolicy,
  wanted: readonly Wanted[],
): Promise<{ readonly made: readonly Nullroute[]; readonly refused: ReadonlyMap<string, Fault> }> {
  if (wanted.length === 0) return { made: [], refused: new Map() };
  if (policy.policy === 'never' || !(await routerLock(queries, routerName)))
    throw new Fault('capability_missing', { message: 'There are no null-routes here.' });
  const now = yard.clock.now();
  const addresses = wanted.map(({ address }) => address);
  const there = new Set((await store.nullroutesOpen(queries, addresses)).map(({ address }) => address));
  const often = await store.nullroutesSince(queries, addresses, now - dayMs);
  let room = policy.ceiling - (await store.nullroutesWanted(queries));
  const refused = new Map<string, Fault>();
  const allowed = wanted.filter(({ address }) => {
    if (there.has(address)) return false;
    if ((often.get(address) ?? 0) >= policy.perDay) refused.set(address, tooOften());
    else if (room-- <= 0) refused.set(address, tooMany());
    return !refused.has(address);
  });
  const made = await store.nullroutesInsert(
    queries,
    allowed.map((each) => ({ ...each, created_at: now })),
  );
  if (made.length > 0) await reconcilerSignal(queries, routesReconciler);
  await eventsAppend(
    yard,
    queries,
    made.map(({ account_id: account, service_id: service, address, reason }) => {
      const data = { ip: readSortable(address), reason };
      return { account, service, type: 'network.nullroute.added' as const, data };
    }),
  );
  return { made, refused };
}

function tooMany(): Fault {
  return new Fault('nothing_free', { message: 'There are as many null-routes as there may be at once.' });
}

function tooOften(): Fault {
  return new Fault('state_conflict', { message: 'The address was null-routed too often in the last 24 hours.' });
}

/** In the caller's transaction; nothing where it is not wanted any more. */
export async function nullrouteUnwant(yard: Yard, queries: Queries, nullroute: Nullroute): Promise<void> {
  if (!(await store.nullrouteRemove(queries, nullroute.id, yard.clock.now()))) return;
  await reconcilerSignal(queries, routesReconciler);
  const { account_id: account, service_id: service, address } = nullroute;
  const data = { ip: readSortable(address) };
  await eventAppend(yard, queries, { account, service, type: 'network.nullroute.removed', data });
}

/** Ends what has had its time, or whose address is no longer the service's. */
export async function nullroutesExpire(yard: Yard): Promise<void> {
  for (const nullroute of await store.nullroutesToEnd(yard.store.queries, yard.clock.now()))
    await yard.store.transaction((queries) => nullrouteUnwant(yard, queries, nullroute));
}

export async function nullrouteAdd(
  context: Context,
  service: Service,
  ip: string,
): Promise<'Null-routed' | 'Null-route Pending'> {
  const address = await addressOf(context, service, ip);
  return nullrouteMake(context, await nullroutePolicy(context.queries), {
    address,
    account_id: service.account_id,
    service_id: service.id,
    origin: 'customer',
    reason: 'Requested by the customer',
    ends_at: null,
  });
}

/** Wanted from now on, and announced at once where the router answers. */
export async function nullrouteMake(
  context: Context,
  policy: NullroutePolicy,
  wanted: Omit<Wanted, 'attack_id'>,
): Promise<'Null-routed' | 'Null-route Pending'> {
  const { yard } = context;
  const { address, account_id } = wanted;
  const there = await yard.store.transaction(async (queries) => {
    const attack = await attackUnderWay(queries, account_id, address);
    const { made, refused } = await nullroutesWant(yard, queries, policy, [
      { ...wanted, attack_id: attack?.id ?? null },
    ]);
    const fault = refused.get(address);
    if (fault !== undefined) throw fault;
    return made[0] ?? (await store.nullrouteOpen(queries, address));
  });
  const isTold = await toldRouter(context, 'announcing a null-route', async (limit) => {
    // Whoever had his turn before may have removed it.
    if ((await store.nullrouteOpen(context.queries, address))?.id !== there?.id) return;
    await yard.router.use((router) => router.announce([readSortable(address)], limit));
    await store.nullroutesAnnounced(context.queries, [there!.id], yard.clock.now());
  });
  return isTold ? 'Null-routed' : 'Null-route Pending';
}

export async function nullrouteLift(context: Context, service: Service, ip: string) {
  return nullrouteEnd(context, await addressOf(context, service, ip));
}

/** No longer wanted, and withdrawn at once where the router answers. */
export async function nullrouteEnd(
  context: Context,
  address: string,
): Promise<'Null-route Removed' | 'Null-route Removal Pending'> {
  const { yard } = context;
  const there = await store.nullrouteOpen(context.queries, address);
  if (there === undefined) throw new Fault('not_found');
  await yard.store.transaction((queries) => nullrouteUnwant(yard, queries, there));
  const isTold = await toldRouter(context, 'withdrawing a null-route', async (limit) => {
    if ((await store.nullrouteOpen(context.queries, address)) !== undefined) return;
    await yard.router.use((router) => router.withdraw([readSortable(address)], limit));
    await store.nullroutesWithdrawn(context.queries, [there.id], yard.clock.now());
  });
  return isTold ? 'Null-route Removed' : 'Null-route Removal Pending';
}

export async function nullrouteList(context: Context, service: Service): Promise<Static<typeof ShownNullroute>[]> {
  const all = await store.nullroutesOfService(context.queries, service.account_id, service.id, listed);
  return all.map((nullroute) => ({
    ip: readSortable(nullroute.address),
    start: seconds(nullroute.announced_at ?? nullroute.created_at),
    end: seconds(nullroute.withdrawn_at ?? nullroute.removed_at ?? nullroute.ends_at ?? 0),
    active: isActive(nullroute) ? '1' : '0',
    reason: nullroute.reason,
  }));
}

/** As far as we know: the router was seen to have it, and not yet to have it no more. */
export function isActive({ announced_at, withdrawn_at }: Nullroute): boolean {
  return announced_at !== null && withdrawn_at === null;
}

export function seconds(milliseconds: number): string {
  return String(Math.floor(milliseconds / 1000));
}

/** An address of this very service; any other is not there. */
async function addressOf(context: Context, service: Service, ip: string): Promise<string> {
  const address = sortableAddress(parseAddress(ip)!);
  const blocks = await netblockList(context.queries, service.account_id, service.id);
  if (!blocks.some(({ first, last }) => first <= address && address <= last)) throw new Fault('not_found');
  return address;
}

/** False where the router could not be told now: the wish stands, and the reconciler sees to it. */
async function toldRouter(
  { yard, caller }: Context,
  purpose: string,
  work: (limit: AbortSignal) => Promise<void>,
): Promise<boolean> {
  // It runs while the turn is waited for, so that the answer comes in time however long that takes.
  const limit = AbortSignal.timeout(commandMs);
  try {
    await withDeviceLock(yard, { device: routerName, holder: caller.requestId, purpose }, () => work(limit));
    return true;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yard.log.warn({ code: error.code, internal: error.internal }, 'the router could not be told of a null-route yet');
    yard.router.poke();
    return false;
  }
}
