// Services by their plans, and what setting them up costs. A term is billed ahead to the end of its cycle; one that was ended
// or replaced in the middle of what is billed already gives back the days that are left, at the price of those days.
import { cycleHolding } from '#kernel/billing-calendar.ts';
import { moneyPart } from '#kernel/money.ts';
import { termBilled, type ServiceTerm } from '#store/billing/service-terms.ts';
import { partText, spanText, titleOf, type BillContext, type Charge, type Charged } from './charges.ts';

export async function hostingCharges(context: BillContext): Promise<Charged> {
  const { account, terms, period } = context;
  const due = terms
    .filter((term) => term.from_day < period.until || term.billed_until !== null)
    .map((term) => ({ term, until: dueUntil(context, term) }))
    .filter(({ term, until }) => term.billed_until !== until);
  return {
    charges: due.flatMap(({ term, until }) => [...setup(context, term, until), ...hosting(context, term, until)]),
    settle: async (queries) => {
      for (const { term, until } of due) await termBilled(queries, account, term.id, until);
    },
    goesOn: terms.some((term) => term.until_day === null || term.until_day > period.from),
  };
}

/** The day up to which the term is to be billed in this run. */
function dueUntil({ billDay, period }: BillContext, term: ServiceTerm): number {
  const cycle = cycleHolding(billDay, term.anchor_day, term.cycle_months, period.until - 1);
  return Math.max(term.from_day, Math.min(cycle.until, term.until_day ?? Infinity));
}

function setup({ services }: BillContext, term: ServiceTerm, until: number): Charge[] {
  if (term.billed_until !== null || term.setup_cents === 0 || until === term.from_day) return [];
  return [
    {
      kind: 'Setup',
      subject: `term ${term.id}`,
      service: term.service_id,
      from: term.from_day,
      until: term.from_day + 1,
      cents: term.setup_cents,
      description: `Setup of ${titleOf(term, services)}`,
    },
  ];
}

function hosting({ billDay, services }: BillContext, term: ServiceTerm, until: number): Charge[] {
  const billedUntil = term.billed_until ?? term.from_day;
  const sign = until < billedUntil ? -1 : 1;
  const [first, last] = sign < 0 ? [until, billedUntil] : [billedUntil, until];
  const charges: Charge[] = [];
  for (let from = first; from < last;) {
    const cycle = cycleHolding(billDay, term.anchor_day, term.cycle_months, from);
    const end = Math.min(cycle.until, last);
    const whole = cycle.until - cycle.from;
    const cents = moneyPart(term.price_cents, from - cycle.from, end - cycle.from, whole);
    const part = partText(end - from, whole, term.price_cents);
    charges.push({
      kind: 'Hosting',
      subject: `term ${term.id}`,
      service: term.service_id,
      from,
      until: end,
      cents: sign * cents,
      description: `${titleOf(term, services)}, ${spanText(from, end)}${part}${sign < 0 ? ', not used' : ''}`,
    });
    from = end;
  }
  return charges.filter(({ cents }) => cents !== 0);
}
