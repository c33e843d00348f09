// The routes that lead assigned blocks to their devices: which ones should exist, and which the router was last sent.
import { isSortableIpv4, readSortable, sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { contains, deliveryOf } from '#lib/delivery.ts';
import { pauseWork, type SlicePlace } from '#lib/slices.ts';
import { batches, putRow } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { deliveryNetblocks, type Netblock } from './netblocks.ts';

/** By prefix. */
export type NextHops = ReadonlyMap<string, string>;

/** Returns the next hop of each block that should be routed. A block whose device has no address of its family has none. */
export async function routedBlocks(queries: Queries, place: SlicePlace): Promise<NextHops> {
  const marked = await deliveryNetblocks(queries);
  const nextHops = new Map<string, string>();
  for (const around of marked.filter(({ delivery }) => delivery === 'routed')) {
    for await (const page of blocksWithin(queries, around)) {
      const blocks = page.filter((block) => deliveryOf(block, marked) === 'routed' && !hasMainAddress(block));
      const addresses = await deviceAddresses(queries, marked, familyOf(around), blocks);
      for (const { cidr, service_id } of blocks) {
        const nextHop = addresses.get(service_id);
        if (nextHop !== undefined) nextHops.set(cidr, nextHop);
      }
      await pauseWork(place);
    }
  }
  return nextHops;
}

type HeldBlock = Pick<Netblock, 'cidr' | 'first' | 'last'> & { readonly service_id: number; readonly ip: string };

const pageLength = 500;

async function* blocksWithin(queries: Queries, { first, last }: Netblock): AsyncGenerator<readonly HeldBlock[]> {
  for (let page: HeldBlock[] = [], isLast = false; !isLast; isLast = page.length < pageLength) {
    const { first: after, cidr } = page.at(-1) ?? { first, cidr: '' };
    page = await queries
      .selectFrom('netblocks')
      .innerJoin('services', 'services.id', 'netblocks.service_id')
      .select(['netblocks.cidr', 'netblocks.first', 'netblocks.last', 'services.id as service_id', 'services.ip'])
      .where('netblocks.first', '>=', after)
      .where((where) => where.or([where('netblocks.first', '>', after), where('netblocks.cidr', '>', cidr)]))
      .where('netblocks.last', '<=', last)
      .orderBy('netblocks.first')
      .orderBy('netblocks.cidr')
      .limit(pageLength)
      .execute();
    yield page;
  }
}

/** A device's main address is what others are routed to, so it cannot be routed itself. */
function hasMainAddress(block: Pick<HeldBlock, 'first' | 'last' | 'ip'>): boolean {
  const address = parseAddress(block.ip);
  if (address === undefined) return false;
  const main = sortableAddress(address);
  return contains(block, { first: main, last: main });
}

function familyOf({ first }: Pick<Netblock, 'first'>): '4' | '6' {
  return isSortableIpv4(first) ? '4' : '6';
}

/**
 * Returns the address of this family that each device has in a network segment: its main address, or the first of its
 * blocks that is not routed.
 */
async function deviceAddresses(
  queries: Queries,
  marked: readonly Netblock[],
  family: '4' | '6',
  devices: readonly Pick<HeldBlock, 'service_id' | 'ip'>[],
): Promise<ReadonlyMap<number, string>> {
  const addresses = new Map<number, string>();
  const others = new Set<number>();
  for (const { service_id, ip } of devices) {
    if (ip.includes(':') === (family === '6')) addresses.set(service_id, ip);
    else others.add(service_id);
  }
  for (const batch of batches([...others])) {
    const rows = queries.selectFrom('netblocks').selectAll().where('service_id', 'in', batch).orderBy('first');
    for (const block of await rows.execute())
      if (familyOf(block) === family && !addresses.has(block.service_id!) && deliveryOf(block, marked) === 'on-link')
        addresses.set(block.service_id!, readSortable(block.first));
  }
  return addresses;
}

/** Returns the address that blocks of this family can be routed to. */
export async function deviceAddress(
  queries: Queries,
  { id, ip }: { readonly id: number; readonly ip: string },
  family: '4' | '6',
): Promise<string | undefined> {
  const device = { service_id: id, ip };
  return (await deviceAddresses(queries, await deliveryNetblocks(queries), family, [device])).get(id);
}

export async function routesSentOf(queries: Queries, prefixes: readonly string[]): Promise<NextHops> {
  const rows = await queries.selectFrom('routes').selectAll().where('prefix', 'in', prefixes).execute();
  return new Map(rows.map(({ prefix, next_hop }) => [prefix, next_hop]));
}

/** Must not run in a transaction. */
export async function routesSent(queries: Queries): Promise<NextHops> {
  const nextHops = new Map<string, string>();
  for (let after = '', isLast = false; !isLast;) {
    const next = queries.selectFrom('routes').select(['prefix', 'next_hop']).where('prefix', '>', after);
    const page = await next.orderBy('prefix').limit(pageLength).execute();
    for (const { prefix, next_hop } of page) nextHops.set(prefix, next_hop);
    after = page.at(-1)?.prefix ?? '';
    isLast = page.length < pageLength;
    await pauseWork('outside a transaction');
  }
  return nextHops;
}

/** Records what the router was sent; `removed` are prefixes that it no longer has. */
export async function routesRecord(
  queries: Queries,
  announced: NextHops,
  removed: readonly string[],
  now: number,
): Promise<void> {
  for (const [prefix, next_hop] of announced)
    await putRow(queries, 'routes', ['prefix'], { prefix, next_hop, announced_at: now });
  for (const batch of batches(removed)) await queries.deleteFrom('routes').where('prefix', 'in', batch).execute();
}
