// Applies the tax rules to an account: collects what they depend on from the database.
import type { CustomerKind, ValidationState } from '#contract/shapes/tax.ts';
import { dayMs } from '#lib/time.ts';
import type { Account } from '#store/account/accounts.ts';
import { accountTaxFind, type AccountTax } from '#store/billing/account-taxes.ts';
import type { Queries } from '#store/store.ts';
import { getSeller } from '../invoice-parties.ts';
import { decideTax, type Supply, type TaxDecision } from './rules.ts';
import { getTaxSettings, type TaxSettings } from './settings.ts';
import { normalizeVatNumber } from './vat-numbers.ts';

/** An answer counts for this many recheck intervals, so that a register that is down for days changes no invoice. */
const intervalsOfAnAnswer = 3;

/** Returns the function that decides the tax of a line, or undefined if the site file has rates by country instead. */
export async function loadTaxRules(
  queries: Queries,
  account: Account,
  now: number,
): Promise<((supply: Supply) => TaxDecision) | undefined> {
  const settings = await getTaxSettings(queries);
  if (settings === undefined) return undefined;
  const seller = await getSeller(queries);
  const data = await accountTaxFind(queries, account.id);
  const from = { ...settings, ...seller, vatNumber: normalizeVatNumber(seller.vatNumber) };
  const to = {
    country: account.country,
    postcode: account.postcode,
    kind: data?.kind ?? presumedKind(account),
    vatNumber: data?.vat_number ?? '',
    validation: data === undefined ? 'unchecked' : validationState(data, settings, now),
    exemption: data?.override === 'exempt' ? data.override_reason : '',
  };
  return (supply) => decideTax(from, to, supply);
}

/** Until the customer says which they are. */
export function presumedKind({ companyname }: Account): CustomerKind {
  return companyname === '' ? 'private' : 'business';
}

/** Returns the state that counts at this time: staff may confirm a number, and an old answer expires. */
export function validationState(
  data: Pick<AccountTax, 'state' | 'checked_at' | 'override' | 'vat_number'>,
  { recheckDays }: Pick<TaxSettings, 'recheckDays'>,
  now: number,
): ValidationState {
  if (data.vat_number === '') return 'unchecked';
  if (data.override === 'valid') return 'valid';
  const expiresAt = (data.checked_at ?? 0) + recheckDays * intervalsOfAnAnswer * dayMs;
  return data.state === 'valid' && now > expiresAt ? 'unreachable' : data.state;
}
