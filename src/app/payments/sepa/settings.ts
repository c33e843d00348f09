// Settings of SEPA from the site file, with their defaults.
import type { Site } from '#contract/site/site.ts';
import { parseBic, parseCreditorId, parseIban } from '#drivers/payment/sepa/iban.ts';
import type { Creditor, Scheme } from '#drivers/payment/sepa/payment-file.ts';
import { conflict } from '#lib/api-error.ts';
import type { SecretBox } from '#lib/secrets.ts';
import type { Queries } from '#store/store.ts';
import type { SiteProblem } from '../../site/site-problem.ts';
import { findPaymentSettings } from '../settings.ts';

export const sepaName = 'sepa';
export const sepaReconciler = 'sepa';

export interface SepaSettings {
  readonly creditor: Creditor;
  readonly scheme: Scheme;
  readonly noticeDays: number;
  readonly leadDays: number;
  /** Minutes after midnight, in UTC. */
  readonly filesAtMinute: number;
}

/** Returns undefined if the site file does not set up SEPA. */
export async function findSepaSettings(
  parts: { readonly secrets: SecretBox },
  queries: Queries,
): Promise<SepaSettings | undefined> {
  const sepa = (await findPaymentSettings(parts, queries))?.sepa;
  if (sepa === undefined) return undefined;
  const { name, creditorId, iban, bic, scheme = 'CORE', noticeDays = 2, leadDays = 1, filesAt = '07:00' } = sepa;
  const [hours, minutes] = filesAt.split(':').map(Number) as [number, number];
  return {
    creditor: { name, id: parseCreditorId(creditorId)!, iban: parseIban(iban)!, bic: parseBic(bic ?? '') ?? '' },
    scheme,
    noticeDays,
    leadDays,
    filesAtMinute: hours * 60 + minutes,
  };
}

export async function requireSepaSettings(
  parts: { readonly secrets: SecretBox },
  queries: Queries,
): Promise<SepaSettings> {
  const settings = await findSepaSettings(parts, queries);
  if (settings === undefined) throw conflict('Direct debits are not available.');
  return settings;
}

export function* checkSepa({ provider: { payments } }: Site): Iterable<SiteProblem> {
  const sepa = payments?.sepa;
  if (sepa === undefined) return;
  const path = ['provider', 'payments', 'sepa'];
  if (parseCreditorId(sepa.creditorId) === undefined)
    yield [
      [...path, 'creditorId'],
      'must be a creditor identifier such as DE98ZZZ09999999999; its check digits are wrong',
    ];
  if (parseIban(sepa.iban) === undefined)
    yield [[...path, 'iban'], 'must be an IBAN of a country in SEPA; check the digits'];
  if (sepa.bic !== undefined && parseBic(sepa.bic) === undefined)
    yield [[...path, 'bic'], 'must be a BIC of 8 or 11 characters'];
}
