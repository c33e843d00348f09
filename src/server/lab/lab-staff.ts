// Seeds the lab with an operator, to try signing in as staff: the password is in lab.json, and the second factor is enrolled
// at the first sign-in. They hold the customer's dunning, because an overdue invoice keeps customers from ordering machines.
import { hashPassword } from '#app/account/passwords.ts';
import type { App } from '#app/app.ts';
import type { LabFile } from '#lab/lab-file.ts';
import type { AccountId } from '#store/account-id.ts';
import { dunningHoldInsert } from '#store/billing/dunning-holds.ts';
import { operatorFindByName, operatorInsert } from '#store/operator/operators.ts';

export async function seedLabStaff({ store, clock }: App, { staff, customer }: LabFile): Promise<void> {
  const { name, password } = staff;
  if ((await operatorFindByName(store.queries, name)) !== undefined) return;
  const password_hash = await hashPassword(password);
  // Another instance of the same lab may have been faster; inserting is then a no-op.
  await store.transaction(async (queries) => {
    const now = clock.now();
    await operatorInsert(queries, {
      name,
      role: 'owner',
      status: 'Active',
      password_hash,
      totp_step: 0,
      created_at: now,
    });
    const account_id = Number(customer.account) as AccountId;
    await dunningHoldInsert(queries, { account_id, since: now, operator: name, reason: 'Pays in instalments' });
  });
}
