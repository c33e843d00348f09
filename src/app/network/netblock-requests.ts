// Address requests: finds a free block in the provider's pools and assigns it immediately, or files a request for staff if
// the pool's policy or the service's quota requires that. The database enforces uniqueness: every block consists of units
// that can be assigned only once.
import type { Static } from 'typebox';
import type { NetblockRequestState } from '#contract/shapes/network.ts';
import {
  addressesOf,
  isSortableIpv4,
  networkRange,
  prefixLengthOf,
  readSortable,
  sortableAddress,
  sortableNumber,
  type AddressRange,
} from '#lib/address-ranges.ts';
import { parseAddress, parseNetwork } from '#lib/addresses.ts';
import { deliveryOf, smallestAround, type Delivery } from '#lib/delivery.ts';
import { dayMs, optionalTimeText, timeText } from '#lib/time.ts';
import { isWithinQuota, poolReserve } from './address-quotas.ts';
import { countFree, firstFree, largestFree } from './address-pool.ts';
import { families, type Family } from './families.ts';
import { ApiError, conflict, invalid } from '#lib/api-error.ts';
import { routesReconciler } from '#equipment/router.ts';
import { hypervisorDue } from '#store/devices/hypervisors.ts';
import { holdingBegin, holdingsEndedSince } from '#store/network/netblock-holdings.ts';
import {
  netblockAssign,
  netblocksWithin,
  poolsLock,
  providerNetblocks,
  type Netblock,
} from '#store/network/netblocks.ts';
import { deviceAddress } from '#store/network/routes.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import {
  netblockRequestInsert,
  netblockRequestsOf,
  netblockRequestsPending,
} from '#store/network/netblock-requests.ts';
import { hasMainAddress, type Service } from '#store/devices/services.ts';
import type { Context } from '../app.ts';

/**
 * A released address is not assigned again for this long, because others still associate it with its previous holder.
 */
const quarantineMs = 30 * dayMs;
const maxPending = 5;

interface Pool extends Netblock {
  /** Blocks that are assigned within it, those in quarantine, and addresses that networks use themselves. */
  readonly unavailable: readonly AddressRange[];
  readonly deliveredBy: Delivery;
}

export async function netblockRequest(context: Context, service: Service, family: Family, size: string) {
  const { queries, app } = context;
  const prefixLength = Number(size.slice(1));
  const { lengths } = families[family];
  if (!(lengths as readonly number[]).includes(prefixLength)) {
    throw invalid({ size: family === 'ipv6' ? 'must be /64 for ipv6' : 'must not be /64 for ipv4' });
  }
  const request = {
    account_id: service.account_id,
    service_id: service.id,
    family,
    prefix_length: prefixLength,
    created_at: app.clock.now(),
  };
  const pools = await usablePools(context, service, family);
  const { pool, range } = requireFreeBlock(pools, family, prefixLength);
  const isAssigned =
    pool.pool === 'assign' &&
    !usesReserve(pools, range, await poolReserve(queries)) &&
    (await isWithinQuota(context, service, family, prefixLength));
  if (!isAssigned) {
    if ((await netblockRequestsPending(queries, service.account_id, service.id)).length >= maxPending)
      throw conflict(`The service has ${maxPending} pending requests. Wait until they have been decided.`);
    const id = await netblockRequestInsert(queries, { ...request, status: 'Pending', cidr: '' });
    return { requestid: String(id), status: 'Pending' as const, netblock: '' };
  }
  const cidr = await assignNetblock(context, service, range, prefixLength);
  const id = await netblockRequestInsert(queries, { ...request, status: 'Assigned', cidr });
  return { requestid: String(id), status: 'Assigned' as const, netblock: cidr };
}

const maxListed = 100;

export async function netblockRequestList(
  { queries }: Context,
  { account_id, id }: Service,
): Promise<Static<typeof NetblockRequestState>[]> {
  const requests = await netblockRequestsOf(queries, account_id, id, maxListed);
  return requests.map((request) => ({
    requestid: String(request.id),
    type: request.family,
    size: `/${request.prefix_length}`,
    status: request.status,
    netblock: request.cidr,
    created: timeText(request.created_at),
    decided: optionalTimeText(request.decided_at),
    reason: request.reason,
  }));
}

/** For staff, who may use the reserve. Without a service, for the main address of a new one. Locks the pools until the transaction ends. */
export async function findFreeBlock(
  context: Context,
  service: Service | undefined,
  family: Family,
  prefixLength: number,
): Promise<AddressRange> {
  return requireFreeBlock(await usablePools(context, service, family), family, prefixLength).range;
}

/** Returns a certain block of addresses, for a device that uses it already. Locks the pools until the transaction ends. */
export async function requireOwnBlock({ queries }: Context, cidr: string): Promise<AddressRange> {
  const range = networkRange(parseNetwork(cidr)!);
  const lengths: readonly number[] = families[isSortableIpv4(range.first) ? 'ipv4' : 'ipv6'].lengths;
  if (!lengths.includes(prefixLengthOf({ cidr })))
    throw invalid({
      netblock: 'must be IPv4 addresses, IPv4 networks of at most 256 addresses, or IPv6 networks of size /64',
    });
  await poolsLock(queries);
  const provider = await providerNetblocks(queries);
  const network = smallestAround(range, provider);
  if (network === undefined) throw invalid({ netblock: 'must be within one of your networks' });
  const used = [...(await netblocksWithin(queries, network)), ...networkAddresses(gatewayNetwork(network, provider))];
  const isUsed = used.some((other) => other.first <= range.last && range.first <= other.last);
  if (network.cidr === cidr || isUsed || (await hasMainAddress(queries, range)))
    throw conflict(`Addresses of ${cidr} are used by another service, or by the network itself.`);
  return range;
}

/** Returns the pools whose addresses can reach the service: those that are routed need an address to be routed to. */
async function usablePools(context: Context, service: Service | undefined, family: Family): Promise<Pool[]> {
  const pools = await lockPools(context, family);
  if (pools.every(({ deliveredBy }) => deliveredBy === 'on-link')) return pools;
  const { mark } = families[family];
  if (service !== undefined && (await deviceAddress(context.queries, service, mark)) !== undefined) return pools;
  const onLink = pools.filter(({ deliveredBy }) => deliveredBy === 'on-link');
  if (onLink.length > 0) return onLink;
  throw new ApiError('nothing_free', {
    message: `Only routed ${familyName(family)} addresses are free, and the service has no address to route them to.`,
  });
}

/** Returns the pools of the family, locked until the transaction ends. */
async function lockPools({ queries, app }: Context, family: Family): Promise<Pool[]> {
  const pools = (await poolsLock(queries))
    .filter(({ first }) => first.startsWith(families[family].mark))
    // Pools that assign immediately come before those that need approval.
    .toSorted((left, right) => Number(left.pool === 'ask') - Number(right.pool === 'ask'));
  const quarantinedSince = app.clock.now() - quarantineMs;
  const provider = await providerNetblocks(queries);
  return Promise.all(
    pools.map(async (pool) => {
      const quarantined = await holdingsEndedSince(queries, pool, quarantinedSince);
      const deliveredBy = deliveryOf(pool, provider);
      // Without a gateway, the pool itself is the network that its devices share.
      const network = gatewayNetwork(pool, provider) ?? pool;
      const used = deliveredBy === 'on-link' ? networkAddresses(network) : [];
      return {
        ...pool,
        deliveredBy,
        unavailable: [...(await netblocksWithin(queries, pool)), ...quarantined, ...used],
      };
    }),
  );
}

/** Returns the network that devices in the block share with a gateway. */
function gatewayNetwork(block: Netblock, provider: readonly Netblock[]): Netblock | undefined {
  return smallestAround(
    block,
    provider.filter(({ gateway }) => gateway !== null),
  );
}

/** Returns the addresses that a network uses itself: its gateway and, unless it has only two (RFC 3021), the first and last of IPv4. */
function networkAddresses(network: Netblock | undefined): AddressRange[] {
  if (network === undefined) return [];
  const { first, last, gateway } = network;
  const ends = isSortableIpv4(first) && prefixLengthOf(network) < 31 ? [first, last] : [];
  const used = gateway === null ? ends : [sortableAddress(parseAddress(gateway)!), ...ends];
  return used.map((address) => ({ first: address, last: address }));
}

const familyName = (family: Family): string => family.replace('ip', 'IP');

/** Returns the first free block. Rejects if no block of that size is free. */
function requireFreeBlock(
  pools: readonly Pool[],
  family: Family,
  prefixLength: number,
): { readonly pool: Pool; readonly range: AddressRange } {
  const { bits, lengths } = families[family];
  // A pool provides only blocks smaller than itself.
  for (const pool of pools.filter((candidate) => prefixLength > prefixLengthOf(candidate))) {
    const range = firstFree(pool, bits, prefixLength, pool.unavailable);
    if (range !== undefined) return { pool, range };
  }
  if (pools.length === 0)
    throw new ApiError('nothing_free', { message: `The provider has no pool of ${familyName(family)} addresses.` });
  const largestByPool = pools.map((pool) => {
    const smaller = lengths.filter((length) => length > prefixLengthOf(pool));
    return largestFree(pool, bits, smaller, pool.unavailable);
  });
  const largest = Math.min(...largestByPool.filter((length) => length !== undefined));
  const free = Number.isFinite(largest) ? `the largest free block is a /${largest}` : 'nothing is free';
  throw new ApiError('nothing_free', {
    message: `No ${familyName(family)} block of this size is free; ${free}.`,
  });
}

/** Returns whether less than the reserve would be left if this block were assigned. */
function usesReserve(pools: readonly Pool[], range: AddressRange, reservePercent: number): boolean {
  const total = pools.reduce((sum, pool) => sum + sizeOf(pool), 0n);
  const free = pools.reduce((sum, pool) => sum + countFree(pool, pool.unavailable), 0n);
  return (free - sizeOf(range)) * 100n < total * BigInt(reservePercent);
}

function sizeOf({ first, last }: AddressRange): bigint {
  return sortableNumber(last) - sortableNumber(first) + 1n;
}

/** `context` must be one of the service's account, which gets the event. */
export async function assignNetblock(
  context: Context,
  service: Pick<Service, 'id' | 'account_id'>,
  range: AddressRange,
  prefixLength: number,
): Promise<string> {
  const { queries, app } = context;
  const cidr = `${readSortable(range.first)}/${prefixLength}`;
  const block = { cidr, ...range, account_id: service.account_id, service_id: service.id };
  // The smallest that can be assigned: an IPv4 address, or a /64.
  const units = isSortableIpv4(range.first) ? [...addressesOf(range)] : [range.first];
  await netblockAssign(queries, block, units);
  await holdingBegin(queries, block, app.clock.now());
  await deliverAddresses(context, service.id);
  context.emit('network.netblock.assigned', { netblock: cidr }, service.id);
  return cidr;
}

/** Makes routes, network filters and the settings of virtual machines follow the addresses that the service now has. */
export async function deliverAddresses({ app, queries, afterCommit }: Context, service: number): Promise<void> {
  await reconcilerSignal(queries, routesReconciler);
  await hypervisorDue(queries, service);
  await reconcilerSignal(queries, 'machine-sync');
  await reconcilerSignal(queries, 'machine-addresses');
  afterCommit(() => app.router.requestSync());
}
