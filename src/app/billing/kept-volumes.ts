// Volumes outlive their machines. After a term of a service, its volumes are charged at the price of that term, until they are
// deleted, a machine of another service has them, or the service has a new term. The meter of the service knows the first two.
import { dayOf } from '#lib/time.ts';
import type { Clock } from '#lib/clock.ts';
import { accountFind } from '#store/account/accounts.ts';
import { billingAccountsWithVolumes } from '#store/billing/billing-accounts.ts';
import { termsOfService, usagePrices, type ServiceTerm } from '#store/billing/service-terms.ts';
import type { Usage } from '#store/pricing/usage.ts';
import type { Store } from '#store/store.ts';
import { monthContaining } from './billing-periods.ts';
import { ensureCalendars } from './calendar.ts';
import { termTitle, type BillContext, type PricedDays } from './charges.ts';

/** Returns the days after the terms of services that have volumes in this usage. */
export async function findKeptVolumes(
  { queries, account, services }: BillContext,
  usage: readonly Usage[],
): Promise<PricedDays[]> {
  const metered = usage.filter(({ item, quantity }) => item === 'volumes' && quantity > 0);
  const kept: PricedDays[] = [];
  for (const service of new Set(metered.map(({ service_id }) => service_id)))
    kept.push(...daysAfterTerms(await termsOfService(queries, account, service), services));
  if (kept.length === 0 || (await accountFind(queries, account))?.status === 'Closed') return [];
  return kept;
}

function daysAfterTerms(terms: readonly ServiceTerm[], services: BillContext['services']): PricedDays[] {
  // A change of plan that was withdrawn before it began leaves a term without days.
  const lasting = terms.filter(hasLasted);
  const billed = lasting.length > 0 ? lasting : terms.slice(-1);
  return billed.flatMap((term, index) => {
    const price = usagePrices.decode(term.usage_prices).find(({ item }) => item === 'volumes');
    const from = term.until_day ?? Infinity;
    const until = billed[index + 1]?.from_day ?? Infinity;
    if (price === undefined || from >= until) return [];
    const title = `Volumes kept after the end of ${termTitle(term, services)}`;
    // What is included was part of a price that nobody pays any more.
    return [{ title, term, price: { ...price, included: 0 }, from, until }];
  });
}

function hasLasted({ from_day, until_day, from_hour, until_hour }: ServiceTerm): boolean {
  if (until_day === null || until_day > from_day) return true;
  return from_hour !== null && until_hour !== null && until_hour > from_hour;
}

/**
 * Lets billing continue for accounts that have such volumes although it has ended: in an earlier release, or because a volume came
 * back when it could not be attached to another machine.
 */
export async function resumeVolumeBilling({ store, clock }: { store: Store; clock: Clock }): Promise<void> {
  const ended = await billingAccountsWithVolumes(store.queries);
  if (ended.length === 0) return;
  const today = dayOf(clock.now());
  const needs = ended.map(({ account_id, bill_day }) => {
    // Volumes are charged in arrears: the days of this month with the next run.
    const firstDay = monthContaining(bill_day, today).until;
    return { account: account_id, firstDay, defaultDay: undefined };
  });
  await store.transaction((queries) => ensureCalendars(queries, needs));
}
