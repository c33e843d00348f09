// Address requests: finds a free block in the provider's pools and assigns it immediately or files it for the operator,
// depending on the pool's policy. The database enforces uniqueness: every block consists of units that can be assigned
// only once.
import { addressesOf, prefixLengthOf, readSortable, type AddressRange } from '#lib/address-ranges.ts';
import { firstFree, largestFree } from './address-pool.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import { holdingBegin, holdingsEndedSince } from '#store/network/netblock-holdings.ts';
import { netblockAssign, netblocksWithin, poolsLock, type Netblock } from '#store/network/netblocks.ts';
import { netblockRequestInsert } from '#store/network/netblock-requests.ts';
import type { Service } from '#store/devices/services.ts';
import type { Context } from '../app.ts';

type Family = 'ipv4' | 'ipv6';

const families = {
  ipv4: { mark: '4', bits: 32, lengths: [24, 25, 26, 27, 28, 29, 30] },
  ipv6: { mark: '6', bits: 128, lengths: [64] },
} as const;
/**
 * A released address is not assigned again for this long, because others still associate it with its previous holder.
 */
const quarantineMs = 30 * 86_400_000;

export async function netblockRequest(context: Context, service: Service, family: Family, size: string) {
  const { queries, app } = context;
  const prefixLength = Number(size.slice(1));
  const { lengths } = families[family];
  if (!(lengths as readonly number[]).includes(prefixLength)) {
    throw invalid({ size: `must be one of ${lengths.map((length) => `/${length}`).join(', ')} for ${family}` });
  }
  const request = {
    account_id: service.account_id,
    service_id: service.id,
    family,
    prefix_length: prefixLength,
    created_at: app.clock.now(),
  };
  const free = await findFreeBlock(context, family, prefixLength);
  if (free.pool.pool === 'ask') {
    const id = await netblockRequestInsert(queries, { ...request, status: 'Pending', cidr: '' });
    return { requestid: String(id), status: 'Pending' as const, netblock: '' };
  }
  const cidr = await assignNetblock(context, service, free.range, prefixLength);
  const id = await netblockRequestInsert(queries, { ...request, status: 'Assigned', cidr });
  return { requestid: String(id), status: 'Assigned' as const, netblock: cidr };
}

/** Locks the pools until the transaction ends. Rejects if no block of that size is free. */
export async function findFreeBlock(context: Context, family: Family, prefixLength: number) {
  const pools = (await poolsLock(context.queries))
    .filter(({ first }) => first.startsWith(families[family].mark))
    // Pools that assign immediately come before those that need approval.
    .toSorted((left, right) => Number(left.pool === 'ask') - Number(right.pool === 'ask'));
  const free = await findFree(context, pools, family, prefixLength);
  if (free === undefined) throw await noFreeBlockError(context, pools, family);
  return free;
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
  const family = range.first.startsWith(families.ipv4.mark) ? 'ipv4' : 'ipv6';
  await netblockAssign(queries, block, allocationUnits(family, range));
  await holdingBegin(queries, block, app.clock.now());
  context.emit('network.netblock.assigned', { netblock: cidr }, service.id);
  return cidr;
}

async function findFree(context: Context, pools: readonly Netblock[], family: Family, prefixLength: number) {
  for (const pool of pools) {
    // A pool provides only blocks smaller than itself.
    if (prefixLength <= prefixLengthOf(pool)) continue;
    const range = firstFree(pool, families[family].bits, prefixLength, await unavailableRanges(context, pool));
    if (range !== undefined) return { pool, range };
  }
  return undefined;
}

/** Returns what is assigned within a pool, and what is in quarantine. */
async function unavailableRanges({ queries, app }: Context, pool: Netblock): Promise<AddressRange[]> {
  return [
    ...(await netblocksWithin(queries, pool)),
    ...(await holdingsEndedSince(queries, pool, app.clock.now() - quarantineMs)),
  ];
}

async function noFreeBlockError(context: Context, pools: readonly Netblock[], family: Family): Promise<ApiError> {
  const { bits, lengths } = families[family];
  const largestByPool = await Promise.all(
    pools.map(async (pool) => {
      const smaller = lengths.filter((length) => length > prefixLengthOf(pool));
      return largestFree(pool, bits, smaller, await unavailableRanges(context, pool));
    }),
  );
  const largest = Math.min(...largestByPool.filter((length) => length !== undefined));
  const free = Number.isFinite(largest) ? `the largest free block is a /${largest}` : 'nothing is free';
  return new ApiError('nothing_free', { message: `There is no free ${family} block of that size; ${free}.` });
}

/** The smallest assignable units: four IPv4 addresses, or a /64. */
function allocationUnits(family: Family, range: AddressRange): string[] {
  if (family === 'ipv6') return [range.first];
  return [...addressesOf(range)].filter((_, index) => index % 4 === 0);
}
