// Invoices that are due and whose account has a default payment method.
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';

export interface Collectible {
  readonly id: number;
  readonly account_id: AccountId;
  readonly due_day: number;
  readonly method_id: number;
  readonly driver: string;
}

/** Returns unpaid invoices that are due by this day, ordered by id, after `after`. */
export async function invoicesToCollect(
  queries: Queries,
  today: number,
  after: number,
  limit: number,
): Promise<Collectible[]> {
  return queries
    .selectFrom('invoices')
    .innerJoin('payment_methods', 'payment_methods.account_id', 'invoices.account_id')
    .select([
      'invoices.id',
      'invoices.account_id',
      'invoices.due_day',
      'payment_methods.id as method_id',
      'payment_methods.driver',
    ])
    .where('invoices.status', '=', 'Unpaid')
    .where('invoices.due_day', '<=', today)
    .where('payment_methods.is_default', '=', 1)
    .where('payment_methods.state', '=', 'active')
    .where('invoices.id', '>', after)
    .orderBy('invoices.id')
    .limit(limit)
    .execute();
}
