// Invoice numbers without gaps: the counter is raised in the transaction that issues. Whoever issues in the same series
// waits for it, and one that fails gives its number back.
import type { Queries } from './store.ts';

export async function invoiceNumberTake(queries: Queries, series: string): Promise<number> {
  const { last } = await queries
    .insertInto('invoice_numbers')
    .values({ series, last: 1 })
    .onConflict((conflict) =>
      conflict.column('series').doUpdateSet((set) => ({ last: set('invoice_numbers.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}
