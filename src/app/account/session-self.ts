// Tells callers who they are. A session shows the person; an API key shows them only if it may read the account.
import type { Static } from 'typebox';
import type { SessionSelf } from '#contract/shapes/session.ts';
import { timeText } from '#lib/time.ts';
import { contactFind } from '#store/account/contacts.ts';
import { keyOrSessionFind } from '#store/account/keys.ts';
import { passkeyList } from '#store/account/passkeys.ts';
import { customerHolder } from '#store/account/people.ts';
import { recoveryCodeCount } from '#store/account/recovery-codes.ts';
import { totpFind, type Totp } from '#store/account/totps.ts';
import type { Context } from '../app.ts';
import { getCallersAccount } from './accounts.ts';

type Self = Static<typeof SessionSelf>;

export async function sessionGet(context: Context): Promise<Self> {
  const { caller, queries } = context;
  const account = await getCallersAccount(context);
  const contact = caller.contact === undefined ? undefined : await contactFind(queries, account.id, caller.contact);
  const key = await keyOrSessionFind(queries, account.id, caller.key);
  const person = { account_id: account.id, contact_id: caller.contact ?? null };
  const { firstname, lastname, email } = contact ?? account;
  const isShown = caller.keyKind === 'session' || caller.scopes.has('account:read');
  return {
    kind: caller.keyKind,
    account: String(account.id),
    status: account.status,
    contact: contact === undefined ? '' : String(contact.id),
    subaccount: contact === undefined ? '0' : '1',
    name: isShown ? `${firstname} ${lastname}` : '',
    email: isShown ? email : '',
    company: isShown ? account.companyname : '',
    scopes: [...caller.scopes],
    expires: key?.expires_at == null ? '' : timeText(key.expires_at),
    totp: totpState(await totpFind(queries, person)),
    recoverycodes: String(await recoveryCodeCount(queries, person)),
    passkeys: String((await passkeyList(queries, customerHolder(person))).length),
    passwordchange: caller.limited === 'temporary-password' ? '1' : '0',
    operator: caller.supportOperator ?? '',
    currency: account.currency,
    currencyprefix: account.currency_prefix,
    currencysuffix: account.currency_suffix,
  };
}

function totpState(totp: Totp | undefined): Self['totp'] {
  if (totp === undefined) return 'None';
  return totp.since === null ? 'Waiting' : 'Confirmed';
}
