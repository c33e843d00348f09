// The terms of services: one row per plan and price, from a day until the day before the next. Each row records how far
// it has been billed, so that a change in the middle of a paid period is exact to the day.
import type { Insertable, Selectable } from 'kysely';
import { prepared, preparedRows, runInBatches } from '../engine/prepared.ts';
import { selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { ServiceTermTable } from './tables.ts';

export type ServiceTerm = Selectable<ServiceTermTable>;
export type NewServiceTerm = Omit<Insertable<ServiceTermTable>, 'account_id' | 'service_id'>;

const insert = preparedRows((queries: Queries, terms: readonly Insertable<ServiceTermTable>[]) =>
  queries.insertInto('service_terms').values(terms),
);
export async function termInsert(
  queries: Queries,
  account: AccountId,
  service: number,
  term: NewServiceTerm,
): Promise<void> {
  await termsInsert(queries, [{ ...term, account_id: account, service_id: service }]);
}

export async function termsInsert(queries: Queries, terms: readonly Insertable<ServiceTermTable>[]): Promise<void> {
  await runInBatches(insert, queries, terms, (term) => term);
}

export async function termsOfService(queries: Queries, account: AccountId, service: number): Promise<ServiceTerm[]> {
  return selectWhere(queries, 'service_terms', { account_id: account, service_id: service })
    .selectAll()
    .orderBy('id')
    .execute();
}

/** Returns the terms of all services. */
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

export async function termEnd(
  queries: Queries,
  account: AccountId,
  term: number,
  untilDay: number | null,
): Promise<void> {
  await updateWhere(queries, 'service_terms', { account_id: account, id: term }).set({ until_day: untilDay }).execute();
}

const billed = prepared((queries: Queries, values: { account: AccountId; term: number; until: number }) =>
  updateWhere(queries, 'service_terms', { account_id: values.account, id: values.term })
    .set({ billed_until: values.until })
    .returning('id'),
);
export async function termBilledUntilSet(
  queries: Queries,
  account: AccountId,
  term: number,
  until: number,
): Promise<void> {
  await billed(queries, { account, term, until });
}
