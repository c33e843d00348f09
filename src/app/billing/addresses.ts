// Charges for IPv4 addresses beyond those in the plan, in arrears: as many as were held at the end of each day.
import { countText } from '#lib/count-text.ts';
import { moneyPart, moneyText } from '#lib/money.ts';
import { dayMs } from '#lib/time.ts';
import { holdingsOfAccount, type NetblockHolding } from '#store/network/netblock-holdings.ts';
import type { ServiceTerm } from '#store/billing/service-terms.ts';
import { createCaps, prorationText, spanText, termTitle } from './charges.ts';
import type { BillContext, Charge, ChargesOfKind } from './charges.ts';

export async function addressCharges(context: BillContext): Promise<ChargesOfKind> {
  const { queries, account, previous } = context;
  const terms = context.terms.filter(
    (term) =>
      term.address_price_cents > 0 && term.from_day < previous.until && (term.until_day ?? Infinity) > previous.from,
  );
  if (terms.length === 0) return { charges: [], continues: false };
  const holdings = await holdingsOfAccount(queries, account, previous.from * dayMs, previous.until * dayMs);
  const limit = createCaps();
  const charges = terms.flatMap((term) =>
    chargesOfTerm(context, term, holdings)
      .map((charge) => ({ ...charge, cents: limit(String(term.service_id), charge.cents, term.address_cap_cents) }))
      .filter(({ cents }) => cents !== 0 || term.address_cap_cents === null),
  );
  return { charges, continues: false };
}

/** Returns one charge for each run of days with the same number of addresses. */
function chargesOfTerm(
  { previous, services }: BillContext,
  term: ServiceTerm,
  all: readonly NetblockHolding[],
): Charge[] {
  const holdings = all.filter(({ service_id }) => service_id === term.service_id);
  const last = Math.min(previous.until, term.until_day ?? Infinity);
  const whole = previous.until - previous.from;
  const charges: Charge[] = [];
  for (let from = Math.max(previous.from, term.from_day); from < last;) {
    const count = countHeldOn(holdings, from);
    let until = from + 1;
    while (until < last && countHeldOn(holdings, until) === count) until++;
    const extra = count - term.addresses_included;
    if (extra > 0) {
      const price = extra * term.address_price_cents;
      const quantity = `${countText(extra, 'address', 'addresses')} above ${term.addresses_included} at ${moneyText(term.address_price_cents)}`;
      charges.push({
        kind: 'Address',
        subject: `term ${term.id}`,
        service: term.service_id,
        from,
        until,
        cents: moneyPart(price, from - previous.from, until - previous.from, whole),
        description: `${termTitle(term, services)}, ${spanText(from, until)}: ${quantity}${prorationText(until - from, whole, price)}`,
      });
    }
    from = until;
  }
  return charges;
}

/** Returns what this many addresses cost in a whole month. */
export function monthlyAddressCents(term: ServiceTerm, count: number): number {
  const extra = Math.max(0, count - term.addresses_included);
  return Math.min(extra * term.address_price_cents, term.address_cap_cents ?? Infinity);
}

/** Returns how many were held at the end of the day. */
export function countHeldOn(holdings: readonly NetblockHolding[], day: number): number {
  const end = (day + 1) * dayMs;
  return holdings
    .filter(({ held_from, held_until }) => held_from < end && (held_until === null || held_until >= end))
    .reduce((sum, { cidr }) => sum + countAddresses(cidr), 0);
}

function countAddresses(cidr: string): number {
  return cidr.includes(':') ? 0 : 2 ** (32 - Number(cidr.slice(cidr.indexOf('/') + 1)));
}
