// Makes the billing terms of services match the site file, or an order. A change is effective from the day on which it is
// applied, or from the next hour between two hourly plans: earlier days stay as they were, and the next bill settles the
// difference to the day.
import type { Site, SiteService } from '#contract/site/site.ts';
import { dayMs, dayNumber, dayOf, hourMs, hourOf } from '#lib/time.ts';
import { moneyCents } from '#lib/money.ts';
import {
  allTerms,
  termEnd,
  termEndNow,
  termInsert,
  termsInsert,
  termsOfService,
  type NewServiceTerm,
  type ServiceTerm,
} from '#store/billing/service-terms.ts';
import { servicesGone } from '#store/devices/services.ts';
import { cancelledUntil } from '#store/pricing/cancellations.ts';
import { pricePlanList } from '#store/pricing/price-plans.ts';
import type { Queries } from '#store/store.ts';
import { ensureCalendars, type CalendarNeed } from './calendar.ts';
import { planIn } from './currency/plan-prices.ts';
import { monthlyCents, termsOf, type Terms } from './plan-terms.ts';
import type { AccountId } from '#store/account-id.ts';

export async function applyTerms(queries: Queries, site: Site, now: number): Promise<void> {
  const plans = new Map((site.plans ?? []).map((plan) => [plan.name, plan]));
  const panelPlans = new Set((await pricePlanList(queries)).map(({ name }) => name));
  const twice = [...plans.keys()].find((name) => panelPlans.has(name));
  if (twice !== undefined) throw new Error(`plan ${twice} already exists in the panel; give this one another name`);
  const { code } = site.provider.currency;
  const currencies = new Map((site.customers ?? []).map(({ id, currency }) => [id, currency ?? code]));
  const days = new Map((site.customers ?? []).map(({ id, billingDay }) => [id, billingDay ?? site.billing?.day]));
  // From the database rather than the file: services that the file omits stay as they are.
  const gone = await servicesGone(queries);
  const cancelled = await cancelledUntil(queries);
  const known: KnownTerms = {
    terms: Map.groupBy(await allTerms(queries), ({ account_id, service_id }) => `${account_id} ${service_id}`),
    calendars: new Map(),
    added: [],
  };
  for (const service of site.services ?? []) {
    const terms = known.terms.get(`${service.customer} ${service.id}`) ?? [];
    const last = terms.at(-1);
    const isGone = gone.has(service.id);
    // The termination has ended its billing: of a deleted machine, perhaps only after the minimum term.
    if (isGone && last !== undefined && last.until_day !== null) continue;
    const isChosen = isChosenByOrder(service, terms);
    // A plan that the customer or staff chose stays, as long as the file names the plan from before.
    const named = plans.get((isChosen ? last!.plan : service.plan) ?? '');
    const plan = named && planIn(named, currencies.get(service.customer) ?? code, code);
    const isOfPanel = last !== undefined && panelPlans.has(last.plan) && (service.plan === undefined || isChosen);
    if (last !== undefined && (isOfPanel || (named !== undefined && plan === undefined))) {
      // The file does not know the plan, or no longer in this currency, so it says nothing about the price.
      if (isGone) await termEndNow(queries, last.account_id, last, now);
      continue;
    }
    const desired: DesiredTerms = {
      terms: plan && termsOf(plan, plan.name === service.plan ? service.price : undefined),
      setupCents: moneyCents(plan?.setup ?? '0')!,
      now,
      start: service.start === undefined ? undefined : dayNumber(service.start),
      until: endOfService(service, cancelled.get(service.id), isGone ? dayOf(now) : undefined),
      billDay: days.get(service.customer),
      origin: plan?.name === service.plan ? 'site' : 'order',
    };
    await setServiceTerms(queries, service.customer as AccountId, service.id, desired, known);
  }
  await ensureCalendars(queries, [...known.calendars.values()]);
  await termsInsert(queries, known.added);
}

function isChosenByOrder({ plan }: SiteService, terms: readonly ServiceTerm[]): boolean {
  const ofFile = terms.findLast(({ origin }) => origin === 'site');
  return terms.at(-1)?.origin === 'order' && ofFile !== undefined && ofFile.plan === plan;
}

function endOfService({ end: lastDay }: SiteService, ...ends: readonly (number | undefined)[]): number | undefined {
  const days = [lastDay === undefined ? undefined : dayNumber(lastDay)! + 1, ...ends].filter(
    (day) => day !== undefined,
  );
  return days.length === 0 ? undefined : Math.min(...days);
}

export interface DesiredTerms {
  /** If undefined, the service is not billed from now on. */
  readonly terms: Terms | undefined;
  readonly setupCents: number;
  readonly now: number;
  /** For a service without terms so far; defaults to today. */
  readonly start: number | undefined;
  readonly until: number | undefined;
  /** For an account without a billing day; defaults to the day of its first service. */
  readonly billDay: number | undefined;
  readonly origin: ServiceTerm['origin'];
  /** The price was agreed for this service. */
  readonly hasOwnPrice?: boolean;
  /** The day or hour of the change then costs what the dearer plan does: changing back and forth must gain nothing. */
  readonly isByCustomer?: boolean;
}

/** Terms of many services, read and stored together. */
interface KnownTerms {
  /** By account and service. */
  readonly terms: ReadonlyMap<string, readonly ServiceTerm[]>;
  /** By account and what they are for. */
  readonly calendars: Map<string, CalendarNeed>;
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
  const { terms, now } = desired;
  const today = dayOf(now);
  if (last === undefined) {
    if (terms === undefined) return;
    const from_day = desired.start ?? today;
    if (desired.until !== undefined && desired.until <= from_day) return;
    const from_hour = desired.start === undefined ? hourOf(now) : dayStart(from_day);
    const term = { ...terms, from_day, from_hour, anchor_day: from_day, setup_cents: desired.setupCents };
    await startTerm(queries, account, service, term, desired, known);
    return;
  }
  // Terms that have ended stay as they are, unless the end has been moved to the future.
  const hasEnded = last.until_day !== null && last.until_day <= today && (desired.until ?? Infinity) > today;
  if (terms === undefined) {
    await termEndNow(queries, account, last, now);
  } else if (hasEnded || !isSameTerms(last, terms)) {
    const { from_day, from_hour } = hasEnded ? restartOf(last, terms, now) : changeOf(last, terms, desired);
    if (desired.until !== undefined && desired.until <= from_day) {
      await moveTermEnd(queries, account, last, desired.until, today);
      return;
    }
    if (!hasEnded) await termEnd(queries, account, last, from_day, Math.max(from_hour, last.from_hour ?? 0));
    // Replaced before it lasted any time, and before its first bill: the setup fee is still due.
    const isUnused = last.from_hour === null ? last.from_day === from_day : last.from_hour >= from_hour;
    const setup_cents = isUnused && last.billed_until === null ? last.setup_cents : 0;
    const term = { ...terms, from_day, from_hour, anchor_day: previous[0]!.anchor_day, setup_cents };
    await startTerm(queries, account, service, term, desired, known);
  } else {
    await moveTermEnd(queries, account, last, desired.until, today);
  }
}

/**
 * Between two hourly plans, the hour that has started belongs to the first; otherwise the day belongs to the second. If a customer
 * changes the plan, it belongs to the dearer one.
 */
function changeOf(last: ServiceTerm, terms: Terms, { now, isByCustomer = false }: DesiredTerms) {
  if (last.hour_price === null || terms.hour_price === null) {
    const isLater = isByCustomer && monthlyCents(terms) < monthlyCents(last);
    const from_day = Math.max(dayOf(now) + (isLater ? 1 : 0), last.from_day);
    return { from_day, from_hour: dayStart(from_day) };
  }
  const isAtOnce = isByCustomer && terms.hour_price > last.hour_price;
  const from_hour = Math.max(isAtOnce ? hourOf(now) : Math.ceil(now / hourMs), last.from_hour!);
  return { from_day: dayOf(from_hour * hourMs), from_hour };
}

/** Begins after what was billed last. */
function restartOf(last: ServiceTerm, terms: Terms, now: number) {
  const free = Math.max(hourOf(now), last.until_hour ?? 0);
  if (terms.hour_price !== null) return { from_day: dayOf(free * hourMs), from_hour: free };
  const today = Math.max(dayOf(now), last.from_day);
  const from_day = (last.until_hour ?? 0) > dayStart(today) ? today + 1 : today;
  return { from_day, from_hour: dayStart(from_day) };
}

function dayStart(day: number): number {
  return (day * dayMs) / hourMs;
}

/** An end in the past never moves, so that a site file can be applied again. */
export async function moveTermEnd(
  queries: Queries,
  account: AccountId,
  last: ServiceTerm,
  until: number | undefined,
  today: number,
): Promise<void> {
  const desired = until === undefined ? null : Math.max(until, last.from_day);
  if (last.until_day === desired || (last.until_day !== null && last.until_day <= today)) return;
  await termEnd(queries, account, last, desired);
}

async function startTerm(
  queries: Queries,
  account: AccountId,
  service: number,
  term: Terms & { from_day: number; from_hour: number; anchor_day: number; setup_cents: number },
  { until, billDay, origin, hasOwnPrice = false }: DesiredTerms,
  known: KnownTerms | undefined,
): Promise<void> {
  const calendar = { account, firstDay: term.from_day, defaultDay: billDay };
  if (known === undefined) await ensureCalendars(queries, [calendar]);
  else known.calendars.set(Object.values(calendar).join(' '), calendar);
  const hours =
    term.hour_price === null
      ? { from_hour: null, until_hour: null }
      : { until_hour: until === undefined ? null : dayStart(until) };
  const unbilled = { until_day: until ?? null, billed_until: null, billed_hour: null };
  const added = { ...term, ...hours, ...unbilled, origin, own_price: hasOwnPrice ? 1 : 0 };
  if (known === undefined) await termInsert(queries, account, service, added);
  else known.added.push({ ...added, account_id: account, service_id: service });
}

function isSameTerms(term: ServiceTerm, terms: Terms): boolean {
  return Object.entries(terms).every(([name, value]) => term[name as keyof Terms] === value);
}
