// On what terms services are had, made to match the site file. A change holds from the day on which it is applied: what was
// before stays as it was, and the next bill settles the difference to the day.
import type { Site, SiteService } from '#contract/site.ts';
import { cycles, type SitePlan } from '#contract/site-billing.ts';
import { dayNumber, dayOf } from '#kernel/moments.ts';
import { moneyCents } from '#kernel/money.ts';
import { termEnd, termInsert, termsOfService, type ServiceTerm } from '#store/billing/service-terms.ts';
import { servicesGone } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { calendarBegin } from './calendar.ts';

export type Terms = Pick<
  ServiceTerm,
  | 'plan'
  | 'price_cents'
  | 'cycle_months'
  | 'committed_mbits'
  | 'mbit_price_cents'
  | 'addresses_included'
  | 'address_price_cents'
>;

export async function applyTerms(queries: Queries, site: Site, now: number): Promise<void> {
  const plans = new Map((site.plans ?? []).map((plan) => [plan.name, plan]));
  const days = new Map((site.customers ?? []).map(({ id, billingDay }) => [id, billingDay ?? site.billing?.day]));
  // Not as the file says it: what it leaves out stays as it is.
  const gone = await servicesGone(queries);
  for (const service of site.services ?? []) {
    const plan = plans.get(service.plan ?? '');
    await serviceTermsSet(queries, service.customer as AccountId, service.id, {
      terms: plan && termsOf(plan, service),
      setupCents: moneyCents(plan?.setup ?? '0')!,
      today: dayOf(now),
      start: service.start === undefined ? undefined : dayNumber(service.start),
      until: untilOf(service, gone.has(service.id) ? dayOf(now) : undefined),
      billDay: days.get(service.customer),
    });
  }
}

function termsOf(plan: SitePlan, service: SiteService): Terms {
  return {
    plan: plan.name,
    price_cents: moneyCents(service.price ?? plan.price)!,
    cycle_months: cycles[plan.cycle],
    committed_mbits: plan.bandwidth?.committed ?? null,
    mbit_price_cents: moneyCents(plan.bandwidth?.price ?? '0')!,
    addresses_included: plan.addresses?.included ?? 0,
    address_price_cents: moneyCents(plan.addresses?.price ?? '0')!,
  };
}

function untilOf({ end: lastDay }: SiteService, goneOn: number | undefined): number | undefined {
  if (lastDay === undefined) return goneOn;
  return Math.min(dayNumber(lastDay)! + 1, goneOn ?? Infinity);
}

export interface WantedTerms {
  /** Undefined: the service is not billed from today on. */
  readonly terms: Terms | undefined;
  readonly setupCents: number;
  readonly today: number;
  /** Of a service that has had no terms yet; today unless told. */
  readonly start: number | undefined;
  readonly until: number | undefined;
  /** Of an account that has none yet; that of its first service unless told. */
  readonly billDay: number | undefined;
}

export async function serviceTermsSet(
  queries: Queries,
  account: AccountId,
  service: number,
  wanted: WantedTerms,
): Promise<void> {
  const before = await termsOfService(queries, account, service);
  const last = before.at(-1);
  const { terms, today } = wanted;
  if (last === undefined) {
    if (terms === undefined) return;
    const start = wanted.start ?? today;
    if (wanted.until !== undefined && wanted.until <= start) return;
    await begin(queries, account, service, {
      terms,
      from: start,
      anchor: start,
      wanted,
      setupCents: wanted.setupCents,
    });
    return;
  }
  // Of terms that are over nothing is changed any more, but for an end that still lies ahead of them.
  const over = last.until_day !== null && last.until_day <= today && (wanted.until ?? Infinity) > today;
  const from = Math.max(today, last.from_day);
  if (terms === undefined) {
    if (last.until_day === null || last.until_day > from) await termEnd(queries, account, last.id, from);
  } else if (over || !same(last, terms)) {
    if (wanted.until !== undefined && wanted.until <= from) {
      await end(queries, account, last, wanted.until, today);
      return;
    }
    if (!over) await termEnd(queries, account, last.id, from);
    // Replaced on its first day, before its first bill: the setup is still to be paid.
    const setupCents = last.from_day === from && last.billed_until === null ? last.setup_cents : 0;
    await begin(queries, account, service, { terms, from, anchor: before[0]!.anchor_day, wanted, setupCents });
  } else {
    await end(queries, account, last, wanted.until, today);
  }
}

/** An end that is past stays as it was: a file that is applied again must not move it. */
async function end(
  queries: Queries,
  account: AccountId,
  last: ServiceTerm,
  until: number | undefined,
  today: number,
): Promise<void> {
  const wanted = until === undefined ? null : Math.max(until, last.from_day);
  if (last.until_day === wanted || (last.until_day !== null && last.until_day <= today)) return;
  await termEnd(queries, account, last.id, wanted);
}

interface Beginning {
  readonly terms: Terms;
  readonly from: number;
  readonly anchor: number;
  readonly wanted: WantedTerms;
  readonly setupCents: number;
}

async function begin(queries: Queries, account: AccountId, service: number, beginning: Beginning): Promise<void> {
  const { terms, from, anchor, wanted, setupCents } = beginning;
  await calendarBegin(queries, account, from, wanted.billDay);
  await termInsert(queries, account, service, {
    ...terms,
    setup_cents: setupCents,
    anchor_day: anchor,
    from_day: from,
    until_day: wanted.until ?? null,
    billed_until: null,
  });
}

function same(term: ServiceTerm, terms: Terms): boolean {
  return Object.entries(terms).every(([name, value]) => term[name as keyof Terms] === value);
}
