// Passkeys of the signed-in customer.
import type { Static } from 'typebox';
import type { RegistrationCredential, Passkey, PasskeyCreationOptions } from '#contract/shapes/passkey.ts';
import { customerHolder, type SignInHolder } from '#store/account/people.ts';
import type { Context } from '../app.ts';
import { requireFactorLeft } from '../sign-on/domains.ts';
import { beginPasskey, listPasskeys, removePasskey, storePasskey } from './passkey-registration.ts';
import { getSignedInPerson, signInChange } from './signed-in.ts';

export async function passkeyBegin(context: Context): Promise<Static<typeof PasskeyCreationOptions>> {
  const person = await getSignedInPerson(context);
  return beginPasskey(context, customerHolder(person), person.email);
}

export async function passkeyCreate(
  context: Context,
  name: string,
  credential: Static<typeof RegistrationCredential>,
): Promise<Static<typeof Passkey>> {
  const passkey = await storePasskey(context, await getHolder(context), name, credential);
  context.emit('account.factor.added', { ...signInChange(context), factor: 'passkey', name });
  return passkey;
}

export async function passkeyGet(context: Context): Promise<Static<typeof Passkey>[]> {
  return listPasskeys(context, await getHolder(context));
}

export async function passkeyDelete(context: Context, id: number): Promise<void> {
  const name = await removePasskey(context, await getHolder(context), id);
  await requireFactorLeft(context);
  context.emit('account.factor.removed', { ...signInChange(context), factor: 'passkey', name });
}

async function getHolder(context: Context): Promise<SignInHolder> {
  return customerHolder(await getSignedInPerson(context));
}
