// Who holds a key, as he himself may know it. Whoever signed in is shown to himself; a key that was handed to a program shows
// the person behind it only where it may read the account.
import type { Static } from 'typebox';
import type { SessionSelf } from '#contract/shapes/session.ts';
import { momentText } from '#kernel/moments.ts';
import { contactFind } from '#store/account/contacts.ts';
import { keyFind } from '#store/account/keys.ts';
import { passkeyList } from '#store/account/passkeys.ts';
import { totpFind, type Totp } from '#store/account/totps.ts';
import type { Context } from '../yard.ts';
import { callersAccount } from './accounts.ts';

type Self = Static<typeof SessionSelf>;

export async function sessionGet(context: Context): Promise<Self> {
  const { caller, queries } = context;
  const account = await callersAccount(context);
  const contact = caller.contact === undefined ? undefined : await contactFind(queries, account.id, caller.contact);
  const key = await keyFind(queries, account.id, caller.key);
  const person = { account_id: account.id, contact_id: caller.contact ?? null };
  const { firstname, lastname, email } = contact ?? account;
  const shown = caller.keyKind === 'session' || caller.scopes.has('account:read');
  return {
    kind: caller.keyKind,
    account: String(account.id),
    status: account.status,
    contact: contact === undefined ? '' : String(contact.id),
    subaccount: contact === undefined ? '0' : '1',
    name: shown ? `${firstname} ${lastname}` : '',
    email: shown ? email : '',
    company: shown ? account.companyname : '',
    scopes: [...caller.scopes],
    expires: key?.expires_at == null ? '' : momentText(key.expires_at),
    totp: stateOf(await totpFind(queries, person)),
    passkeys: String((await passkeyList(queries, person)).length),
    currency: account.currency,
    currencyprefix: account.currency_prefix,
    currencysuffix: account.currency_suffix,
  };
}

function stateOf(totp: Totp | undefined): Self['totp'] {
  if (totp === undefined) return 'None';
  return totp.since === null ? 'Waiting' : 'Confirmed';
}
