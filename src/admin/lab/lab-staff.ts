// The lab's one operator by name, so that signing in as staff can be tried: with the password of lab.json, and a second factor
// that whoever comes first enrols.
import { passwordHash } from '#app/account/passwords.ts';
import type { Yard } from '#app/yard.ts';
import type { LabFile } from '#lab/file.ts';
import { operatorFindByName, operatorInsert } from '#store/operator/operators.ts';

export async function seedLabStaff({ store, clock }: Yard, { staff: { name, password } }: LabFile): Promise<void> {
  if ((await operatorFindByName(store.queries, name)) !== undefined) return;
  const password_hash = await passwordHash(password);
  // Another node of the same lab may have been quicker: then there is one, and nothing is left to do.
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
