// Payment providers that report payments, with the sealed secrets they sign with.
import type { Selectable } from 'kysely';
import { ifChanged } from '../engine/if-changed.ts';
import type { Queries } from '../store.ts';
import type { PaymentHookTable } from './tables.ts';

export type PaymentHook = Selectable<PaymentHookTable>;

export async function paymentHookFind(queries: Queries, name: string): Promise<PaymentHook | undefined> {
  return queries.selectFrom('payment_hooks').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Replaces all hooks. */
export async function paymentHooksSet(queries: Queries, hooks: readonly PaymentHook[]): Promise<void> {
  let deletion = queries.deleteFrom('payment_hooks');
  const names = hooks.map(({ name }) => name);
  if (names.length > 0) deletion = deletion.where('name', 'not in', names);
  await deletion.execute();
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
