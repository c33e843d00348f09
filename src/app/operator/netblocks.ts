// The address plan as operators see it.
import type { Static } from 'typebox';
import type { OperatorNetblock } from '#contract/operator/fleet.ts';
import { networkText } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { allNetblocks, type Netblock } from '#store/network/netblocks.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';
import { createAddressPlan, type PlannedBlock } from './address-plan.ts';

export interface NetblockPage {
  readonly limit?: number;
  readonly after?: string;
}

export async function netblockList(
  { queries }: Context,
  { limit = pageLength, after }: NetblockPage,
): Promise<Static<typeof OperatorNetblock>[]> {
  const blocks = await allNetblocks(queries);
  const plan = createAddressPlan(blocks.map((block) => ({ ...block, isHeld: block.account_id !== null })));
  const last = after === undefined ? undefined : networkText(parseNetwork(after)!);
  const from = last === undefined ? 0 : plan.findIndex(({ block }) => block.cidr === last) + 1;
  // If the last block of the previous page is gone, do not start over.
  if (last !== undefined && from === 0) return [];
  return plan.slice(from, from + limit).map(netblockShape);
}

function netblockShape({
  block,
  within,
  usedOfTenThousand,
  free,
}: PlannedBlock<Netblock & { readonly isHeld: boolean }>): Static<typeof OperatorNetblock> {
  return {
    cidr: block.cidr,
    within: within?.cidr ?? '',
    account: block.account_id === null ? '' : String(block.account_id),
    service: block.service_id === null ? '' : String(block.service_id),
    pool: block.pool ?? '',
    origin: block.origin,
    gateway: block.gateway ?? '',
    used: (usedOfTenThousand / 100).toFixed(2),
    free: free === undefined ? '' : `/${free}`,
  };
}
