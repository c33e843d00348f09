// Payment providers that report what was paid, with the secret under which they sign, sealed.
import type { Selectable } from 'kysely';
import { ifChanged } from '../engine/if-changed.ts';
import type { Queries } from '../store.ts';

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
  let gone = queries.deleteFrom('payment_hooks');
  const names = hooks.map(({ name }) => name);
  if (names.length > 0) gone = gone.where('name', 'not in', names);
  await gone.execute();
  for (const { name, ...changing } of hooks) {
    await queries
      .insertInto('payment_hooks')
      .values({ name, ...changing })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(changing).where(ifChanged('payment_hooks', changing)),
      )
      .execute();
  }
}
