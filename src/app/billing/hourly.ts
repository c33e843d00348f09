// Charges for services with an hourly price, in arrears: every started hour, and in a month never more than the monthly price.
// If a service has several hourly plans in a month, what the earlier ones cost counts towards the limit of the later ones.
import { moneyText } from '#lib/money.ts';
import { termBilledSet, type ServiceTerm } from '#store/billing/service-terms.ts';
import { countText } from '#lib/count-text.ts';
import { billedDays } from './billed-days.ts';
import { monthContaining, type Period } from './billing-periods.ts';
import { spanText, termSubject, termTitle, type BillContext, type Charge, type ChargesOfKind } from './charges.ts';
import { setupCharges } from './hosting.ts';
import { hourPriceText } from './plan-terms.ts';

type HourlyTerm = ServiceTerm & { readonly hour_price: number; readonly from_hour: number };

const hoursPerDay = 24;

export async function hourlyCharges(context: BillContext): Promise<ChargesOfKind> {
  const { account, period, previous } = context;
  const terms = context.terms.filter((term): term is HourlyTerm => term.hour_price !== null);
  const due = terms
    .filter((term) => term.from_day < period.until || term.billed_until !== null)
    .map((term) => ({ term, until: Math.max(term.from_hour, Math.min(endOf(term), previous.until * hoursPerDay)) }))
    .filter(({ term, until }) => term.billed_hour !== until);
  const charges: Charge[] = [];
  for (const { term, until } of due) {
    if (endOf(term) > term.from_hour) charges.push(...setupCharges(context, term));
    charges.push(...(await termCharges(context, term, until, terms)));
  }
  return {
    charges,
    settle: async (queries) => {
      for (const { term, until } of due) {
        const day = Math.max(term.from_day, Math.min(term.until_day ?? Infinity, previous.until));
        await termBilledSet(queries, account, term.id, { day, hour: until });
      }
    },
    continues: terms.some((term) => endOf(term) > period.from * hoursPerDay),
  };
}

async function termCharges(
  { queries, account, billDay, services }: BillContext,
  term: HourlyTerm,
  until: number,
  terms: readonly HourlyTerm[],
): Promise<Charge[]> {
  const billedUntil = term.billed_hour ?? term.from_hour;
  const sign = until < billedUntil ? -1 : 1;
  const [first, last] = sign < 0 ? [until, billedUntil] : [billedUntil, until];
  const earlier = terms.filter(({ service_id, id }) => service_id === term.service_id && id < term.id);
  const billed = sign < 0 ? await billedDays(queries, account, term) : undefined;
  const charges: Charge[] = [];
  for (let from = first; from < last;) {
    const month = monthContaining(billDay, Math.floor(from / hoursPerDay));
    const end = Math.min(month.until * hoursPerDay, last);
    const limit = limitIn(month, term, earlier);
    const cents = costUntil(term, end, month, limit) - costUntil(term, from, month, limit);
    const days = { from: Math.floor(from / hoursPerDay), until: Math.ceil(end / hoursPerDay) };
    const charged = billed?.(days.from);
    const price = `${countText(end - from, 'hour', 'hours')} at ${hourPriceText(term.hour_price)}`;
    const isLimited = cents < uncappedCents(term, end - from);
    charges.push({
      kind: 'Hosting',
      subject: termSubject(term),
      service: term.service_id,
      ...days,
      cents: charged?.isCredited === true ? 0 : sign * cents,
      description: `${termTitle(term, services)}, ${spanText(days.from, days.until)}: ${price}${isLimited ? `, at most ${moneyText(term.price_cents)} a month` : ''}${sign < 0 ? ', not used' : ''}`,
      chargedTax: charged?.tax,
    });
    from = end;
  }
  return charges.filter(({ cents }) => cents !== 0);
}

/** Returns what is left of the monthly price after the earlier terms of the service. */
function limitIn(month: Period, term: HourlyTerm, earlier: readonly HourlyTerm[]): number {
  let spent = 0;
  for (const other of earlier) spent += costUntil(other, endOf(other), month, Math.max(0, other.price_cents - spent));
  return Math.max(0, term.price_cents - spent);
}

/** Returns what a term costs in the month until this hour. */
function costUntil(term: HourlyTerm, hour: number, month: Period, limit: number): number {
  const start = Math.max(term.from_hour, month.from * hoursPerDay);
  const hours = Math.min(hour, month.until * hoursPerDay) - start;
  return Math.min(limit, uncappedCents(term, Math.max(0, hours)));
}

function uncappedCents({ hour_price }: HourlyTerm, hours: number): number {
  return Math.round((hours * hour_price) / 100);
}

function endOf({ until_hour }: ServiceTerm): number {
  return until_hour ?? Infinity;
}
