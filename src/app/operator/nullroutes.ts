// Null-routes as the provider's staff see, make and remove them: of any account, also where customers have none.
import type { Static } from 'typebox';
import type { OperatorNullroute } from '#contract/operator/nullroute.ts';
import { readSortable, sortableAddress } from '#kernel/address-ranges.ts';
import { parseAddress } from '#kernel/addresses.ts';
import { Fault } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import { holderAt } from '#store/network/netblock-holdings.ts';
import { nullrouteOpen, nullroutesLive, type Nullroute } from '#store/network/nullroutes.ts';
import { nullroutePolicy } from '../network/nullroute-policy.ts';
import { isActive, nullrouteEnd, nullrouteMake } from '../network/nullroutes.ts';
import type { Context } from '../yard.ts';

export async function nullrouteList({ queries }: Context): Promise<Static<typeof OperatorNullroute>[]> {
  return (await nullroutesLive(queries)).map(shown);
}

export interface NewNullroute {
  readonly ip: string;
  readonly reason: string;
  readonly minutes?: number;
}

export async function nullrouteAdd(context: Context, { ip, reason, minutes }: NewNullroute) {
  const { queries, yard } = context;
  const address = sortableAddress(parseAddress(ip)!);
  const now = yard.clock.now();
  const holder = await holderAt(queries, address, now);
  if (holder === undefined) throw new Fault('not_found', { message: 'No customer holds this address.' });
  context.actFor(holder.account_id);
  // How often, and whether at all, is said to customers.
  const policy = { ...(await nullroutePolicy(queries)), policy: 'offer', perDay: Infinity } as const;
  return nullrouteMake(context, policy, {
    address,
    account_id: holder.account_id,
    service_id: holder.service_id,
    origin: 'operator',
    reason,
    ends_at: minutes === undefined ? null : now + minutes * 60_000,
  });
}

export async function nullrouteRemove(context: Context, ip: string) {
  const address = sortableAddress(parseAddress(ip)!);
  const there = await nullrouteOpen(context.queries, address);
  if (there !== undefined) context.actFor(there.account_id);
  return nullrouteEnd(context, address);
}

function shown(nullroute: Nullroute): Static<typeof OperatorNullroute> {
  const { address, account_id, service_id, origin, reason, created_at, announced_at, ends_at } = nullroute;
  const text = (moment: number | null): string => (moment === null ? '' : momentText(moment));
  return {
    ip: readSortable(address),
    account: String(account_id),
    service: String(service_id),
    origin,
    reason,
    created: momentText(created_at),
    announced: text(announced_at),
    ends: text(ends_at),
    state: stateOf(nullroute),
  };
}

function stateOf(nullroute: Nullroute): Static<typeof OperatorNullroute>['state'] {
  if (nullroute.removed_at !== null) return 'Withdrawing';
  return isActive(nullroute) ? 'Active' : 'Pending';
}
