// Mandates: the customer's permission to collect from a bank account. Each belongs to a payment method of the account. A
// mandate ends when the customer removes the method, or after 36 months without a collection.
import { maskIban, parseIban } from '#drivers/payment/sepa/iban.ts';
import { toSepaText } from '#drivers/payment/sepa/characters.ts';
import type { Debit } from '#drivers/payment/sepa/payment-file.ts';
import { conflict, invalid } from '#lib/api-error.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { dayMs, dayOf } from '#lib/time.ts';
import { accountFind } from '#store/account/accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { defaultMethodSet, methodChange, methodFind, type PaymentMethod } from '#store/payments/methods.ts';
import * as store from '#store/payments/sepa-mandates.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../../app.ts';
import { activateMethod, createMethod } from '../methods.ts';
import type { PaymentParts } from '../settle.ts';
import { consentText, consentVersion, type ConsentLanguage } from './consent.ts';
import { requireSepaSettings, sepaName } from './settings.ts';

const lifeMonths = 36;
const batchSize = 200;

export interface NewMandate {
  readonly account: AccountId;
  readonly name: string;
  readonly iban: string;
  /** The version of the text that the customer has read. */
  readonly consent: string;
  readonly language: ConsentLanguage;
  /** The network address of the customer. */
  readonly address: string;
}

/** Needs a transaction. */
export async function createMandate(
  parts: PaymentParts,
  queries: Queries,
  { account, name, iban: ibanText, consent, language, address }: NewMandate,
): Promise<PaymentMethod> {
  const settings = await requireSepaSettings(parts, queries);
  const iban = parseIban(ibanText);
  if (iban === undefined) throw invalid({ iban: 'must be an IBAN of a country in SEPA; check the digits' });
  if (toSepaText(name, 70).replaceAll('.', '') === '')
    throw invalid({ holder: 'must be a name in Latin, Greek or Cyrillic letters' });
  const consent_version = consentVersion(settings);
  if (consent !== consent_version) throw conflict('The text of the mandate has changed. Read and accept the new text.');
  if ((await accountFind(queries, account))!.currency !== 'EUR')
    throw conflict('Direct debits are only available for accounts in euro.');
  const now = parts.clock.now();
  const method = await createMethod(parts, queries, account, sepaName);
  const reference = mandateReference(method.id, now);
  await store.mandateInsert(queries, {
    method_id: method.id,
    account_id: account,
    reference,
    name,
    iban_sealed: parts.secrets.seal(iban, sealContext(reference)),
    scheme: settings.scheme,
    signed_at: now,
    address,
    consent_version,
    consent_text: consentText(settings, language),
    used_at: null,
    expires_day: expiryDay(now),
  });
  const label = `SEPA ${maskIban(iban)}`;
  await activateMethod(parts, queries, account, method.id, {
    kind: 'sepa_debit',
    label,
    externalId: reference,
    externalCustomer: '',
    country: iban.slice(0, 2),
  });
  return (await methodFind(queries, account, method.id))!;
}

function mandateReference(method: number, now: number): string {
  return `HY-${dayOf(now)}-${method}`;
}

function sealContext(reference: string): string {
  return `sepa_mandates.iban_sealed ${reference}`;
}

export function openIban(secrets: SecretBox, { iban_sealed, reference }: store.Mandate): string {
  return secrets.open(iban_sealed, sealContext(reference));
}

/** Returns the mandate as a direct debit names it. */
export function debitMandate(secrets: SecretBox, mandate: store.Mandate): Debit['mandate'] {
  const { reference, signed_at, name, scheme } = mandate;
  return { reference, signedDay: dayOf(signed_at), name, iban: openIban(secrets, mandate), scheme };
}

/** The first day on which a mandate that was used now, and never again, has expired. */
export function expiryDay(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + lifeMonths, date.getUTCDate()) / dayMs;
}

export async function expireMandates(app: App, signal: AbortSignal): Promise<void> {
  const today = dayOf(app.clock.now());
  const list = () => store.mandatesExpired(app.store.queries, today, batchSize);
  for (let page = await list(); page.length > 0 && !signal.aborted; page = await list())
    for (const { account_id, method_id } of page)
      await app.store.transaction(async (queries) => {
        await endMethod(app, queries, account_id, method_id);
        await store.mandateEnd(queries, method_id);
      });
}

/** The method can no longer be charged. Has no effect if that is so already. Needs a transaction. */
export async function endMethod(
  { clock }: Pick<App, 'clock'>,
  queries: Queries,
  account: AccountId,
  id: number,
): Promise<void> {
  await billingAccountLock(queries, account);
  const method = await methodFind(queries, account, id);
  if (method?.state !== 'active') return;
  await methodChange(queries, method, { state: 'expired', changed_at: clock.now() });
  if (method.is_default === 1) await defaultMethodSet(queries, account, undefined);
}
