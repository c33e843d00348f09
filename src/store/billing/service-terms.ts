// On what terms a service was and is had: one row per plan and price, from a day until the day before the next. What has been
// billed of each is kept with it, so that a change in the middle of what is paid already comes out to the day.
import type { GeneratedAlways, Insertable, Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface ServiceTermTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  service_id: number;
  plan: string;
  price_cents: number;
  setup_cents: number;
  cycle_months: number;
  /** Null where traffic is not billed. */
  committed_mbits: number | null;
  /** Of each Mbit/s above. */
  mbit_price_cents: number;
  addresses_included: number;
  address_price_cents: number;
  /** The first day of the service: quarters and years are counted from its month. */
  anchor_day: number;
  from_day: number;
  /** The day after the last; null where no end is known. */
  until_day: number | null;
  /** The day after the last one billed; null before the first bill. */
  billed_until: number | null;
}
export type ServiceTerm = Selectable<ServiceTermTable>;
export type NewServiceTerm = Omit<Insertable<ServiceTermTable>, 'account_id' | 'service_id'>;

export async function termInsert(
  queries: Queries,
  account: AccountId,
  service: number,
  term: NewServiceTerm,
): Promise<void> {
  await queries
    .insertInto('service_terms')
    .values({ ...term, account_id: account, service_id: service })
    .execute();
}

export async function termsOfService(queries: Queries, account: AccountId, service: number): Promise<ServiceTerm[]> {
  return queries
    .selectFrom('service_terms')
    .selectAll()
    .where('account_id', '=', account)
    .where('service_id', '=', service)
    .orderBy('id')
    .execute();
}

const ofAccount = prepared((queries: Queries, values: { account: AccountId; endingAfter: number }) =>
  queries
    .selectFrom('service_terms')
    .selectAll()
    .where('account_id', '=', values.account)
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
/** Terms that still matter to a period that begins on that day: not over long before, or not billed to their end. */
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
  await queries
    .updateTable('service_terms')
    .set({ until_day: untilDay })
    .where('account_id', '=', account)
    .where('id', '=', term)
    .execute();
}

const billed = prepared((queries: Queries, values: { account: AccountId; term: number; until: number }) =>
  queries
    .updateTable('service_terms')
    .set({ billed_until: values.until })
    .where('account_id', '=', values.account)
    .where('id', '=', values.term)
    .returning('id'),
);
export async function termBilled(queries: Queries, account: AccountId, term: number, until: number): Promise<void> {
  await billed(queries, { account, term, until });
}
