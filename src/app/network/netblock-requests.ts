// Addresses on request: a free block out of the provider's pools, assigned at once where the pool's policy says so and else
// filed for the operator. The database guards it: every block is made of units that can be taken once only.
import { addressesOf, readSortable, type AddressRange } from '#kernel/address-ranges.ts';
import { firstFree, largestFree } from '#kernel/address-pool.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { holdingBegin, holdingsEndedSince } from '#store/network/netblock-holdings.ts';
import { netblockAssign, netblocksWithin, poolsLock, type Netblock } from '#store/network/netblocks.ts';
import { netblockRequestInsert } from '#store/network/netblock-requests.ts';
import type { Service } from '#store/devices/services.ts';
import type { Context } from '../yard.ts';

type Family = 'ipv4' | 'ipv6';

const families = {
  ipv4: { mark: '4', bits: 32, lengths: [24, 25, 26, 27, 28, 29, 30] },
  ipv6: { mark: '6', bits: 128, lengths: [64] },
} as const;
/** An address given back is not given again for so long: others still know it as somebody else's. */
const restMs = 30 * 86_400_000;

export async function netblockRequest(context: Context, service: Service, family: Family, size: string) {
  const { queries, yard } = context;
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
    created_at: yard.clock.now(),
  };
  const free = await freeBlock(context, family, prefixLength);
  if (free.pool.pool === 'ask') {
    const id = await netblockRequestInsert(queries, { ...request, status: 'Pending', cidr: '' });
    return { requestid: String(id), status: 'Pending' as const, netblock: '' };
  }
  const cidr = await netblockGive(context, service, free.range, prefixLength);
  const id = await netblockRequestInsert(queries, { ...request, status: 'Assigned', cidr });
  return { requestid: String(id), status: 'Assigned' as const, netblock: cidr };
}

/** Locks the pools until the transaction ends. A Fault where nothing of that size is free. */
export async function freeBlock(context: Context, family: Family, prefixLength: number) {
  const pools = (await poolsLock(context.queries))
    .filter(({ first }) => first.startsWith(families[family].mark))
    // What is given at once comes before what has to be asked for.
    .toSorted((one, other) => Number(one.pool === 'ask') - Number(other.pool === 'ask'));
  const free = await findFree(context, pools, family, prefixLength);
  if (free === undefined) throw await nothingFree(context, pools, family);
  return free;
}

/** `context` is one of the service's account: it is told. */
export async function netblockGive(
  context: Context,
  service: Pick<Service, 'id' | 'account_id'>,
  range: AddressRange,
  prefixLength: number,
): Promise<string> {
  const { queries, yard } = context;
  const cidr = `${readSortable(range.first)}/${prefixLength}`;
  const block = { cidr, ...range, account_id: service.account_id, service_id: service.id };
  const family = range.first.startsWith(families.ipv4.mark) ? 'ipv4' : 'ipv6';
  await netblockAssign(queries, block, unitsOf(family, range));
  await holdingBegin(queries, block, yard.clock.now());
  context.tell('network.netblock.assigned', { netblock: cidr }, service.id);
  return cidr;
}

async function findFree(context: Context, pools: readonly Netblock[], family: Family, prefixLength: number) {
  for (const pool of pools) {
    if (prefixLength <= prefixLengthOf(pool)) continue;
    const range = firstFree(pool, families[family].bits, prefixLength, await takenIn(context, pool));
    if (range !== undefined) return { pool, range };
  }
  return undefined;
}

/** What is assigned within a pool, and what rests. */
async function takenIn({ queries, yard }: Context, pool: Netblock): Promise<AddressRange[]> {
  return [
    ...(await netblocksWithin(queries, pool)),
    ...(await holdingsEndedSince(queries, pool, yard.clock.now() - restMs)),
  ];
}

async function nothingFree(context: Context, pools: readonly Netblock[], family: Family): Promise<Fault> {
  const { bits, lengths } = families[family];
  const left = await Promise.all(
    pools.map(async (pool) => {
      const smaller = lengths.filter((length) => length > prefixLengthOf(pool));
      return largestFree(pool, bits, smaller, await takenIn(context, pool));
    }),
  );
  const largest = Math.min(...left.filter((length) => length !== undefined));
  const free = Number.isFinite(largest) ? `the largest that is free is a /${largest}` : 'nothing is free';
  return new Fault('nothing_free', { message: `There is no free ${family} block of that size; ${free}.` });
}

/** A pool gives blocks that are smaller than itself. */
function prefixLengthOf({ cidr }: Netblock): number {
  return Number(cidr.slice(cidr.indexOf('/') + 1));
}

/** The smallest pieces that are ever given out: four IPv4 addresses, or a /64. */
function unitsOf(family: Family, range: AddressRange): string[] {
  if (family === 'ipv6') return [range.first];
  return [...addressesOf(range)].filter((_, index) => index % 4 === 0);
}
