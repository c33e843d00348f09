// Messages to staff about their own sign-in, if they have an email address.
import { providerAccount } from '#store/account/accounts.ts';
import { mailSettingsEntry } from '#store/mail/settings-entry.ts';
import { metaFind } from '#store/meta.ts';
import type { Operator } from '#store/operator/operators.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { queueMail } from '../mail/sending.ts';

export interface StaffNotice {
  readonly change:
    | 'sign-in'
    | 'password changed'
    | 'email changed'
    | 'authenticator added'
    | 'passkey added'
    | 'passkey removed';
  /** The address that it came from. */
  readonly address: string;
  /** The name of the passkey. */
  readonly name?: string;
}

export async function notifyStaff(
  app: Pick<App, 'queue' | 'clock' | 'secrets'>,
  queries: Queries,
  operator: Pick<Operator, 'name' | 'email'>,
  { change, address, name = '' }: StaffNotice,
): Promise<void> {
  if (operator.email === '' || (await metaFind(queries, mailSettingsEntry)) === undefined) return;
  await queueMail(app, queries, {
    account: providerAccount,
    contact: null,
    address: operator.email,
    language: '',
    kind: change === 'sign-in' ? 'staffsignin' : 'staffchange',
    values: { firstname: operator.name, lastname: '', change, address, name },
  });
}
