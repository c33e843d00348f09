// The address plan as operators see it.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { fleetOperator, OperatorNetblock } from '#contract/operator/fleet.ts';
import { networkText } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { allNetblocks } from '#store/network/netblocks.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';
import { createAddressPlan } from './address-plan.ts';

export async function netblockList(
  { queries }: Context,
  { limit = pageLength, after }: InputOf<typeof fleetOperator.netblockList>,
): Promise<Static<typeof OperatorNetblock>[]> {
  const blocks = await allNetblocks(queries);
  const plan = createAddressPlan(blocks.map((block) => ({ ...block, isHeld: block.account_id !== null })));
  const previousCidr = after === undefined ? undefined : networkText(parseNetwork(after)!);
  const from = previousCidr === undefined ? 0 : plan.findIndex(({ block }) => block.cidr === previousCidr) + 1;
  // If the last block of the previous page is gone, do not start over.
  if (previousCidr !== undefined && from === 0) return [];
  return plan.slice(from, from + limit).map(({ block, within, usedOfTenThousand, free }) => ({
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
