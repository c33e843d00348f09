// Payment providers that report what was paid, with the secret under which they sign, sealed.
import type { Selectable } from 'kysely';
import type { Queries } from './store.ts';

export interface PaymentHookTable {
  name: string;
  method: string;
  secret: string;
}
export type PaymentHook = Selectable<PaymentHookTable>;

export async function paymentHookFind(queries: Queries, name: string): Promise<PaymentHook | undefined> {
  return queries.selectFrom('payment_hooks').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Those that are not named are gone. */
export async function paymentHooksSet(queries: Queries, hooks: readonly PaymentHook[]): Promise<void> {
  await queries.deleteFrom('payment_hooks').execute();
  if (hooks.length > 0) await queries.insertInto('payment_hooks').values(hooks).execute();
}
