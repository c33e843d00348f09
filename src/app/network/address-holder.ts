// Returns who held an address at a given time, to answer abuse complaints.
import { sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { timeText } from '#lib/time.ts';
import { holderAt } from '#store/network/netblock-holdings.ts';
import { CommandError } from '#lib/command-error.ts';
import type { App } from '../app.ts';

/** `at` is any parsable date; defaults to now. */
export async function addressHolder(app: App, ip: string, at: string | undefined): Promise<string> {
  const address = parseAddress(ip);
  if (address === undefined) throw new CommandError(`${ip} is not an IP address`);
  const time = at === undefined ? app.clock.now() : Date.parse(at);
  if (Number.isNaN(time)) throw new CommandError(`${at} is not a date; use a format such as 2026-11-15T12:00:00Z`);
  const holding = await holderAt(app.store.queries, sortableAddress(address), time);
  if (holding === undefined) return `Nobody held ${ip} at ${timeText(time)}.`;
  const { cidr, account_id, service_id, held_from, held_until } = holding;
  const until = held_until === null ? 'until now' : `until ${timeText(held_until)}`;
  return `account ${account_id}, service ${service_id}, in ${cidr}, from ${timeText(held_from)} ${until}`;
}
