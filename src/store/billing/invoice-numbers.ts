// Invoice numbers without gaps. The counter is incremented in the transaction that issues the invoice: others that
// issue in the same series wait for it, and a failed one returns its number.
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';

const take = prepared((queries: Queries, values: { series: string }) =>
  queries
    .insertInto('invoice_numbers')
    .values({ series: values.series, last: 1 })
    .onConflict((conflict) =>
      conflict.column('series').doUpdateSet((set) => ({ last: set('invoice_numbers.last', '+', 1) })),
    )
    .returning('last'),
);
export async function invoiceNumberTake(queries: Queries, series: string): Promise<number> {
  return (await take(queries, { series }))[0]!.last;
}
