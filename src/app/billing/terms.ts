// Makes the billing terms of services match the site file. A change is effective from the day on which it is applied:
// earlier days stay as they were, and the next bill settles the difference to the day.
import type { Site, SiteService } from '#contract/site/site.ts';
import { cycles, type SitePlan } from '#contract/site/billing.ts';
import { dayNumber, dayOf } from '#lib/time.ts';
import { moneyCents } from '#lib/money.ts';
import {
  allTerms,
  termEnd,
  termInsert,
  termsInsert,
  termsOfService,
  type NewServiceTerm,
  type ServiceTerm,
} from '#store/billing/service-terms.ts';
import { servicesGone } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { ensureCalendar } from './calendar.ts';
import type { AccountId } from '#store/account-id.ts';

export type Terms = ReturnType<typeof termsOf>;

export async function applyTerms(queries: Queries, site: Site, now: number): Promise<void> {
  const plans = new Map((site.plans ?? []).map((plan) => [plan.name, plan]));
  const days = new Map((site.customers ?? []).map(({ id, billingDay }) => [id, billingDay ?? site.billing?.day]));
  // From the database rather than the file: services that the file omits stay as they are.
  const gone = await servicesGone(queries);
  const known: KnownTerms = {
    terms: Map.groupBy(await allTerms(queries), ({ account_id, service_id }) => `${account_id} ${service_id}`),
    calendars: new Set(),
    added: [],
  };
  for (const service of site.services ?? []) {
    const plan = plans.get(service.plan ?? '');
    const desired = {
      terms: plan && termsOf(plan, service),
      setupCents: moneyCents(plan?.setup ?? '0')!,
      today: dayOf(now),
      start: service.start === undefined ? undefined : dayNumber(service.start),
      until: endOfService(service, gone.has(service.id) ? dayOf(now) : undefined),
      billDay: days.get(service.customer),
    };
    await setServiceTerms(queries, service.customer as AccountId, service.id, desired, known);
  }
  await termsInsert(queries, known.added);
}

export function termsOf(plan: SitePlan, service: Pick<SiteService, 'price'>) {
  return {
    plan: plan.name,
    price_cents: moneyCents(service.price ?? plan.price)!,
    cycle_months: cycles[plan.cycle] as number,
    committed_mbits: plan.bandwidth?.committed ?? null,
    mbit_price_cents: moneyCents(plan.bandwidth?.price ?? '0')!,
    addresses_included: plan.addresses?.included ?? 0,
    address_price_cents: moneyCents(plan.addresses?.price ?? '0')!,
  };
}

function endOfService({ end: lastDay }: SiteService, goneOn: number | undefined): number | undefined {
  if (lastDay === undefined) return goneOn;
  return Math.min(dayNumber(lastDay)! + 1, goneOn ?? Infinity);
}

export interface DesiredTerms {
  /** If undefined, the service is not billed from today on. */
  readonly terms: Terms | undefined;
  readonly setupCents: number;
  readonly today: number;
  /** For a service without terms so far; defaults to today. */
  readonly start: number | undefined;
  readonly until: number | undefined;
  /** For an account without a billing day; defaults to the day of its first service. */
  readonly billDay: number | undefined;
}

/** What is already known of many services, so that it is not read for each, and what to store for all of them. */
interface KnownTerms {
  /** By account and service. */
  readonly terms: ReadonlyMap<string, readonly ServiceTerm[]>;
  /** By account, and what they were ensured for. */
  readonly calendars: Set<string>;
  readonly added: (NewServiceTerm & { account_id: AccountId; service_id: number })[];
}

export async function setServiceTerms(
  queries: Queries,
  account: AccountId,
  service: number,
  desired: DesiredTerms,
  known?: KnownTerms,
): Promise<void> {
  const previous =
    known === undefined
      ? await termsOfService(queries, account, service)
      : (known.terms.get(`${account} ${service}`) ?? []);
  const last = previous.at(-1);
  const { terms, today } = desired;
  if (last === undefined) {
    if (terms === undefined) return;
    const from_day = desired.start ?? today;
    if (desired.until !== undefined && desired.until <= from_day) return;
    const term = { ...terms, from_day, anchor_day: from_day, setup_cents: desired.setupCents };
    await startTerm(queries, account, service, term, desired, known);
    return;
  }
  // Terms that have ended stay as they are, unless the end has been moved to the future.
  const hasEnded = last.until_day !== null && last.until_day <= today && (desired.until ?? Infinity) > today;
  const from = Math.max(today, last.from_day);
  if (terms === undefined) {
    if (last.until_day === null || last.until_day > from) await termEnd(queries, account, last.id, from);
  } else if (hasEnded || !isSameTerms(last, terms)) {
    if (desired.until !== undefined && desired.until <= from) {
      await moveTermEnd(queries, account, last, desired.until, today);
      return;
    }
    if (!hasEnded) await termEnd(queries, account, last.id, from);
    // Replaced on its first day, before its first bill: the setup fee is still due.
    const setup_cents = last.from_day === from && last.billed_until === null ? last.setup_cents : 0;
    const term = { ...terms, from_day: from, anchor_day: previous[0]!.anchor_day, setup_cents };
    await startTerm(queries, account, service, term, desired, known);
  } else {
    await moveTermEnd(queries, account, last, desired.until, today);
  }
}

/** An end in the past never moves, so that a site file can be applied again. */
async function moveTermEnd(
  queries: Queries,
  account: AccountId,
  last: ServiceTerm,
  until: number | undefined,
  today: number,
): Promise<void> {
  const desired = until === undefined ? null : Math.max(until, last.from_day);
  if (last.until_day === desired || (last.until_day !== null && last.until_day <= today)) return;
  await termEnd(queries, account, last.id, desired);
}

async function startTerm(
  queries: Queries,
  account: AccountId,
  service: number,
  term: Terms & Pick<ServiceTerm, 'from_day' | 'anchor_day' | 'setup_cents'>,
  { until, billDay }: DesiredTerms,
  known: KnownTerms | undefined,
): Promise<void> {
  const calendar = `${account} ${term.from_day} ${billDay}`;
  if (known?.calendars.has(calendar) !== true) await ensureCalendar(queries, account, term.from_day, billDay);
  known?.calendars.add(calendar);
  const added = { ...term, until_day: until ?? null, billed_until: null };
  if (known === undefined) await termInsert(queries, account, service, added);
  else known.added.push({ ...added, account_id: account, service_id: service });
}

function isSameTerms(term: ServiceTerm, terms: Terms): boolean {
  return Object.entries(terms).every(([name, value]) => term[name as keyof Terms] === value);
}
