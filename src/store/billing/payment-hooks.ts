// Payment providers that report payments, with the sealed secrets they sign with.
import type { Selectable } from 'kysely';
import { replaceRows } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { PaymentHookTable } from './tables.ts';

export type PaymentHook = Selectable<PaymentHookTable>;

export async function paymentHookFind(queries: Queries, name: string): Promise<PaymentHook | undefined> {
  return queries.selectFrom('payment_hooks').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Replaces all hooks. */
export async function paymentHooksSet(queries: Queries, hooks: readonly PaymentHook[]): Promise<void> {
  await replaceRows(queries, 'payment_hooks', 'name', hooks);
}
