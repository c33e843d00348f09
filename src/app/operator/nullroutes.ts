// Null routes as operators list, create and remove them: for any account, even if customers may not create their own.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { nullrouteOperator, OperatorNullroute } from '#contract/operator/nullroute.ts';
import { readSortable, sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import { holderAt } from '#store/network/netblock-holdings.ts';
import { nullrouteOpen, nullroutesLivePage, type Nullroute } from '#store/network/nullroutes.ts';
import { nullroutePolicy } from '../network/nullroute-policy.ts';
import { isActive, removeNullroute, addNullroute } from '../network/nullroutes.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';

export async function nullrouteList(
  { queries }: Context,
  { limit = pageLength, after = 0 }: InputOf<typeof nullrouteOperator.nullrouteList>,
): Promise<Static<typeof OperatorNullroute>[]> {
  return (await nullroutesLivePage(queries, after, limit)).map(nullrouteShape);
}

export async function nullrouteAdd(
  context: Context,
  { ip, reason, minutes }: InputOf<typeof nullrouteOperator.nullrouteAdd>,
) {
  const { queries, app } = context;
  const address = sortableAddress(parseAddress(ip)!);
  const now = app.clock.now();
  const holder = requireFound(await holderAt(queries, address, now), 'No customer has this address.');
  context.onBehalfOf(holder.account_id);
  // The policy and its daily limit apply to customers only.
  const policy = { ...(await nullroutePolicy(queries)), policy: 'offer', perDay: Infinity } as const;
  return addNullroute(context, policy, {
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
  const nullroute = requireFound(await nullrouteOpen(context.queries, address));
  context.onBehalfOf(nullroute.account_id);
  return removeNullroute(context, nullroute);
}

function nullrouteShape(nullroute: Nullroute): Static<typeof OperatorNullroute> {
  const { address, account_id, service_id, origin, reason, created_at, announced_at, removed_at, ends_at } = nullroute;
  return {
    id: String(nullroute.id),
    ip: readSortable(address),
    account: String(account_id),
    service: String(service_id),
    origin,
    reason,
    created: timeText(created_at),
    announced: optionalTimeText(announced_at),
    ends: optionalTimeText(ends_at),
    state: removed_at !== null ? 'Withdrawing' : isActive(nullroute) ? 'Active' : 'Pending',
  };
}
