// The address plan as operators see it.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { fleetOperator, OperatorNetblock } from '#contract/operator/fleet.ts';
import { networkRange, networkText, sortableAddress } from '#lib/address-ranges.ts';
import { conflict, requireFound } from '#lib/api-error.ts';
import { contains } from '#lib/delivery.ts';
import { parseAddress, parseNetwork } from '#lib/addresses.ts';
import { serviceLoad } from '#store/devices/services.ts';
import { holdingEnd } from '#store/network/netblock-holdings.ts';
import {
  netblockFind,
  netblockPage,
  netblockRemove,
  netblocksAround,
  netblocksFrom,
  type Netblock,
} from '#store/network/netblocks.ts';
import type { Queries } from '#store/store.ts';
import type { Context } from '../app.ts';
import { withdrawLostNames } from '../dns/lost-names.ts';
import { deliverAddresses } from '../network/netblock-requests.ts';
import { pageLength } from './accounts.ts';
import { createAddressPlan, type PlannedBlock } from './address-plan.ts';

export async function netblockList(
  { queries }: Context,
  { limit = pageLength, after }: InputOf<typeof fleetOperator.netblockList>,
): Promise<Static<typeof OperatorNetblock>[]> {
  const previous = after === undefined ? undefined : networkRange(parseNetwork(after)!);
  const page = await netblockPage(queries, previous, limit);
  return (await planOf(queries, page)).map(({ block, within, usedOfTenThousand, free }) => ({
    cidr: block.cidr,
    within: within?.cidr ?? '',
    account: block.account_id === null ? '' : String(block.account_id),
    service: block.service_id === null ? '' : String(block.service_id),
    pool: block.pool ?? '',
    origin: block.origin,
    gateway: block.gateway ?? '',
    used: (usedOfTenThousand / 100).toFixed(2),
    free: free === undefined ? '' : `/${free}`,
  }));
}

/** Plans these blocks, which follow each other, with what is around and inside them. */
async function planOf(queries: Queries, page: readonly Netblock[]): Promise<PlannedBlock<PlanBlock>[]> {
  const [start] = page;
  if (start === undefined) return [];
  const last = page.reduce((highest, block) => (block.last > highest ? block.last : highest), start.last);
  const related = [
    ...(await netblocksAround(queries, start.first)),
    ...(await netblocksFrom(queries, { first: start.first, last })),
  ];
  const blocks = new Map(related.map((block) => [block.id, { ...block, isHeld: block.account_id !== null }]));
  const shown = new Set(page.map(({ id }) => id));
  return createAddressPlan([...blocks.values()]).filter(({ block }) => shown.has(block.id));
}
type PlanBlock = Netblock & { readonly isHeld: boolean };

/** Takes back a block that was assigned on request, as if the service never had it. */
export async function netblockRelease(context: Context, cidr: string): Promise<void> {
  const { queries, app } = context;
  const block = requireFound(await netblockFind(queries, networkText(parseNetwork(cidr)!)), 'Netblock not found.');
  const holder = block.service_id === null ? undefined : await serviceLoad(queries, block.service_id);
  const service = requireFound(holder, 'No service has this netblock.');
  if (block.origin === 'site') throw conflict('The site file assigns this netblock. Remove it there.');
  const main = sortableAddress(parseAddress(service.ip)!);
  if (contains(block, { first: main, last: main }))
    throw conflict('The netblock contains the main address of its service.');
  await netblockRemove(queries, block.id);
  await holdingEnd(queries, block.cidr, app.clock.now());
  await withdrawLostNames(app, queries);
  context.afterCommit(() => app.nameService.catchUp());
  const acting = context.onBehalfOf(service.account_id);
  await deliverAddresses(acting, service.id);
  acting.emit('network.netblock.released', { netblock: block.cidr }, service.id);
}
