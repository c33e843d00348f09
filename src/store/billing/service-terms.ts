// The terms of services: one row per plan and price, from a day until the day before the next. Each row records how far
// it has been billed, so that a change in the middle of a paid period is exact to the day.
import type { Insertable, Selectable } from 'kysely';
import { Type } from 'typebox';
import { dayOf, hourMs } from '#lib/time.ts';
import { prepared } from '../engine/prepared.ts';
import { preparedInsert } from '../engine/prepared-rows.ts';
import { affectsRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { ServiceTermTable } from './tables.ts';

const hoursPerDay = 24;

export type ServiceTerm = Selectable<ServiceTermTable>;
export type NewServiceTerm = Omit<Insertable<ServiceTermTable>, 'account_id' | 'service_id'>;

export const usagePrices = jsonColumn(
  'service_terms.usage_prices',
  Type.Array(
    Type.Object({
      item: Type.String(),
      included: Type.Integer(),
      priceCents: Type.Integer(),
      capCents: Type.Optional(Type.Integer()),
    }),
  ),
);
export type UsagePrice = ReturnType<typeof usagePrices.decode>[number];

export async function termInsert(
  queries: Queries,
  account: AccountId,
  service: number,
  term: NewServiceTerm,
): Promise<void> {
  await termsInsert(queries, [{ ...term, account_id: account, service_id: service }]);
}

export const termsInsert = preparedInsert('service_terms');

export async function termsOfService(queries: Queries, account: AccountId, service: number): Promise<ServiceTerm[]> {
  return selectWhere(queries, 'service_terms', { account_id: account, service_id: service })
    .selectAll()
    .orderBy('id')
    .execute();
}

export async function allTerms(queries: Queries): Promise<ServiceTerm[]> {
  return queries.selectFrom('service_terms').selectAll().orderBy('id').execute();
}

const ofAccount = prepared((queries: Queries, values: { account: AccountId; endingAfter: number }) =>
  selectWhere(queries, 'service_terms', { account_id: values.account })
    .selectAll()
    .where((where) =>
      where.or([
        where('until_day', 'is', null),
        where('until_day', '>', values.endingAfter),
        where('billed_until', 'is', null),
        where('billed_until', '<>', where.ref('until_day')),
        where('billed_hour', '<>', where.ref('until_hour')),
      ]),
    )
    .orderBy('service_id')
    .orderBy('id'),
);
/** Returns the terms that still matter to a period that starts on this day: recently ended, or not fully billed. */
export async function termsOfAccount(
  queries: Queries,
  account: AccountId,
  endingAfter: number,
): Promise<ServiceTerm[]> {
  return ofAccount(queries, { account, endingAfter });
}

/**
 * A term that is billed by the hour ends at the given hour, or at the start of the day. If another transaction has changed its end
 * since it was read, this one starts again: the account may have a newer term.
 */
export async function termEnd(
  queries: Queries,
  account: AccountId,
  term: Pick<ServiceTerm, 'id' | 'hour_price' | 'until_day'>,
  untilDay: number | null,
  untilHour: number | null = untilDay === null ? null : untilDay * hoursPerDay,
): Promise<void> {
  const unchanged = updateWhere(queries, 'service_terms', {
    account_id: account,
    id: term.id,
    until_day: term.until_day,
  });
  const end = { until_day: untilDay, until_hour: term.hour_price === null ? null : untilHour };
  if (!(await affectsRows(unchanged.set(end).returning('id')))) throw new TermChanged(`term ${term.id} has changed`);
}

class TermChanged extends Error {
  /** As of PostgreSQL, so that the transaction is retried. */
  readonly code = '40001';
}

/** Ends a term today, or with the hour that has started; one that has ended already stays as it is. */
export async function termEndNow(queries: Queries, account: AccountId, term: ServiceTerm, now: number): Promise<void> {
  const hour = Math.max(Math.ceil(now / hourMs), term.from_hour ?? 0);
  const day = Math.max(dayOf(term.hour_price === null ? now : hour * hourMs), term.from_day);
  if (term.until_day === null || term.until_day > day) await termEnd(queries, account, term, day, hour);
}

const billed = prepared(
  (queries: Queries, values: { account: AccountId; term: number; until: number; hour: number | null }) =>
    updateWhere(queries, 'service_terms', { account_id: values.account, id: values.term })
      .set({ billed_until: values.until, billed_hour: values.hour })
      .returning('id'),
);
export async function termBilledSet(
  queries: Queries,
  account: AccountId,
  term: number,
  until: { readonly day: number; readonly hour: number | null },
): Promise<void> {
  await billed(queries, { account, term, until: until.day, hour: until.hour });
}

/** Returns the services that have the plan on this day or later, with their accounts. */
export async function servicesOfPlan(
  queries: Queries,
  plan: string,
  day: number,
): Promise<Pick<ServiceTerm, 'account_id' | 'service_id'>[]> {
  return selectWhere(queries, 'service_terms', { plan })
    .select(['account_id', 'service_id'])
    .distinct()
    .where((where) => where.or([where('until_day', 'is', null), where('until_day', '>', day)]))
    .orderBy('service_id')
    .execute();
}
