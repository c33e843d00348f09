// Seeds the lab with an operator, to try signing in as staff: the password is in lab.json, and the second factor is enrolled
// at the first sign-in.
import { hashPassword } from '#app/account/passwords.ts';
import type { App } from '#app/app.ts';
import type { LabFile } from '#lab/lab-file.ts';
import { operatorFindByName, operatorInsert } from '#store/operator/operators.ts';

export async function seedLabStaff({ store, clock }: App, { staff: { name, password } }: LabFile): Promise<void> {
  if ((await operatorFindByName(store.queries, name)) !== undefined) return;
  const password_hash = await hashPassword(password);
  // Another instance of the same lab may have been faster; inserting is then a no-op.
  await store.transaction((queries) =>
    operatorInsert(queries, {
      name,
      role: 'owner',
      status: 'Active',
      password_hash,
      totp_step: 0,
      created_at: clock.now(),
    }),
  );
}
