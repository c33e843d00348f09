// Who held an address when, for whoever has to answer a complaint about it.
import { sortableAddress } from '#kernel/address-ranges.ts';
import { parseAddress } from '#kernel/addresses.ts';
import { momentText } from '#kernel/moments.ts';
import { holderAt } from '#store/network/netblock-holdings.ts';
import { AdminError } from '../admin-error.ts';
import type { Yard } from '../yard.ts';

/** `at` is any date that can be read; now where it is left out. */
export async function addressHolder(yard: Yard, ip: string, at: string | undefined): Promise<string> {
  const address = parseAddress(ip);
  if (address === undefined) throw new AdminError(`${ip} is no address`);
  const moment = at === undefined ? yard.clock.now() : Date.parse(at);
  if (Number.isNaN(moment)) throw new AdminError(`${at} is no date, such as 2026-11-15T12:00:00Z`);
  const holding = await holderAt(yard.store.queries, sortableAddress(address), moment);
  if (holding === undefined) return `Nobody held ${ip} at ${momentText(moment)}.`;
  const { cidr, account_id, service_id, held_from, held_until } = holding;
  const until = held_until === null ? 'until now' : `until ${momentText(held_until)}`;
  return `account ${account_id}, service ${service_id}, in ${cidr}, from ${momentText(held_from)} ${until}`;
}
