// Charges for services by their plans, and for their setup. A term with a cycle is billed in advance to the end of its cycle; if it
// is ended or replaced after that, the remaining days are credited at the price of those days.
import { billedDays } from './billed-days.ts';
import { cycleContaining } from './billing-periods.ts';
import { moneyPart } from '#lib/money.ts';
import { termBilledSet, type ServiceTerm } from '#store/billing/service-terms.ts';
import {
  prorationText,
  spanText,
  termSubject,
  termTitle,
  type BillContext,
  type Charge,
  type ChargesOfKind,
} from './charges.ts';

export async function hostingCharges(context: BillContext): Promise<ChargesOfKind> {
  const { account, period } = context;
  const terms = context.terms.filter(({ hour_price }) => hour_price === null);
  const due = terms
    .filter((term) => term.from_day < period.until || term.billed_until !== null)
    .map((term) => ({ term, until: billUntil(context, term) }))
    .filter(({ term, until }) => term.billed_until !== until);
  const charges: Charge[] = [];
  for (const { term, until } of due) {
    if (until !== term.from_day) charges.push(...setupCharges(context, term));
    charges.push(...(await termCharges(context, term, until)));
  }
  return {
    charges,
    settle: async (queries) => {
      for (const { term, until } of due) await termBilledSet(queries, account, term.id, { day: until, hour: null });
    },
    continues: terms.some((term) => term.until_day === null || term.until_day > period.from),
  };
}

/** Returns the day up to which this run bills the term. */
function billUntil({ billDay, period }: BillContext, term: ServiceTerm): number {
  const cycle = cycleContaining(billDay, term.anchor_day, term.cycle_months, period.until - 1);
  return Math.max(term.from_day, Math.min(cycle.until, term.until_day ?? Infinity));
}

/** Returns the setup fee with the first bill of a term. */
export function setupCharges({ services }: BillContext, term: ServiceTerm): Charge[] {
  if (term.billed_until !== null || term.setup_cents === 0) return [];
  return [
    {
      kind: 'Setup',
      subject: termSubject(term),
      service: term.service_id,
      from: term.from_day,
      until: term.from_day + 1,
      cents: term.setup_cents,
      description: `Setup of ${termTitle(term, services)}`,
    },
  ];
}

async function termCharges(context: BillContext, term: ServiceTerm, until: number): Promise<Charge[]> {
  const { queries, account, billDay, services } = context;
  const billedUntil = term.billed_until ?? term.from_day;
  const sign = until < billedUntil ? -1 : 1;
  const [first, last] = sign < 0 ? [until, billedUntil] : [billedUntil, until];
  const billed = sign < 0 ? await billedDays(queries, account, term) : undefined;
  const charges: Charge[] = [];
  for (let from = first; from < last;) {
    const cycle = cycleContaining(billDay, term.anchor_day, term.cycle_months, from);
    const charged = billed?.(from);
    const end = Math.min(cycle.until, last, charged?.until ?? Infinity);
    const whole = cycle.until - cycle.from;
    const cents =
      charged?.isCredited === true ? 0 : moneyPart(term.price_cents, from - cycle.from, end - cycle.from, whole);
    const proration = prorationText(end - from, whole, term.price_cents);
    charges.push({
      kind: 'Hosting',
      subject: termSubject(term),
      service: term.service_id,
      from,
      until: end,
      cents: sign * cents,
      description: `${termTitle(term, services)}, ${spanText(from, end)}${proration}${sign < 0 ? ', not used' : ''}`,
      chargedTax: charged?.tax,
    });
    from = end;
  }
  return charges.filter(({ cents }) => cents !== 0);
}
