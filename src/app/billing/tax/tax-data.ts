// Tax data of an account, as its customer and staff read and change it. A new VAT number is validated by a reconciler.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { taxOperator } from '#contract/operator/tax.ts';
import type { OperatorTaxData, TaxData } from '#contract/shapes/tax-data.ts';
import type { taxV2 } from '#contract/v2/tax.ts';
import { conflict, invalid } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { moneyText } from '#lib/money.ts';
import { dayOf, timeText } from '#lib/time.ts';
import type { Account } from '#store/account/accounts.ts';
import * as store from '#store/billing/account-taxes.ts';
import { taxEvidenceOf, taxEvidenceRemove } from '#store/billing/tax-evidence.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { getCallersAccount } from '../../account/accounts.ts';
import { getCustomer } from '../../operator/accounts.ts';
import type { Context } from '../../app.ts';
import { hasAccessPoint } from '../delivery/settings.ts';
import { evidenceStateOf, recordEvidence, recordOrderCountry } from './evidence.ts';
import { loadTaxRules, presumedKind, validationState } from './decide.ts';
import { getTaxSettings } from './settings.ts';
import { territoryOf, vatPrefixes } from './territories.ts';
import { hasVatFormat, isInVies, normalizeVatNumber } from './vat-numbers.ts';

const checksPerPage = 20;

export async function taxGet(context: Context): Promise<Static<typeof TaxData>> {
  return describeTax(context, await getCallersAccount(context));
}

export async function taxUpdate(context: Context, fields: InputOf<typeof taxV2.taxUpdate>): Promise<void> {
  const account = await getCallersAccount(context);
  await updateTax(context, account, fields);
  await recordOrderCountry(context.queries, account.id, context.caller, context.app.clock.now());
}

export async function operatorTaxGet(context: Context, id: number): Promise<Static<typeof OperatorTaxData>> {
  const account = await getCustomer(context.queries, id);
  const data = await store.accountTaxFind(context.queries, account.id);
  const checks = await store.vatChecksOf(context.queries, account.id, checksPerPage);
  return {
    account: String(account.id),
    ...(await describeTax(context, account)),
    override: data?.override ?? 'none',
    overridereason: data?.override_reason ?? '',
    country: account.country,
    ordercountry: data?.order_country ?? '',
    evidence: (await taxEvidenceOf(context.queries, account.id)).map(({ source, country, at }) => ({
      source,
      country,
      seen: timeText(at),
    })),
    evidencestate: await evidenceStateOf(context.queries, account.id),
    checks: checks.map((check) => ({
      checked: timeText(check.at),
      vatnumber: check.vat_number,
      validation: check.state,
      consultation: check.consultation,
      name: check.register_name,
      address: check.register_address,
    })),
  };
}

export async function operatorTaxUpdate(
  context: Context,
  { account: id, ordercountry, ...fields }: InputOf<typeof taxOperator.taxUpdate>,
): Promise<void> {
  const account = await getCustomer(context.queries, id);
  context.onBehalfOf(account.id);
  await updateTax(context, account, fields, pickDefined({ order_country: ordercountry }));
  if (ordercountry === undefined) return;
  await taxEvidenceRemove(context.queries, account.id, 'staff');
  const evidence = { account: account.id, source: 'staff', country: ordercountry } as const;
  if (ordercountry !== '') await recordEvidence(context.queries, evidence, context.app.clock.now());
}

export async function taxValidate(context: Context, id: number): Promise<void> {
  const { queries, app } = context;
  const account = await getCustomer(context.queries, id);
  context.onBehalfOf(account.id);
  const data = await store.accountTaxFind(queries, account.id);
  if (data === undefined || !isInVies(data.vat_number))
    throw conflict('This account has no VAT number that can be validated.');
  if ((await getTaxSettings(queries))?.registerUrl === undefined)
    throw conflict('The site file does not configure a register of VAT numbers. Add provider.tax.register.');
  await store.accountTaxChecked(queries, data, { next_check_at: app.clock.now() });
  await reconcilerSignal(queries, store.vatReconciler);
}

export async function taxOverride(
  context: Context,
  { account: id, override, reason }: InputOf<typeof taxOperator.taxOverride>,
): Promise<void> {
  const { queries, app } = context;
  const account = await getCustomer(context.queries, id);
  context.onBehalfOf(account.id);
  await billingAccountLock(queries, account.id);
  const data = await loadTax(queries, account);
  if (override === 'valid' && data.vat_number === '') throw conflict('This account has no VAT number.');
  const overrideReason = override === 'none' ? '' : reason;
  const changed = { override, override_reason: overrideReason, changed_at: app.clock.now() };
  await store.accountTaxPut(queries, { ...data, ...changed });
}

async function updateTax(
  { queries, app }: Context,
  account: Account,
  fields: InputOf<typeof taxV2.taxUpdate>,
  evidence: Partial<store.AccountTax> = {},
): Promise<void> {
  // Issuing an invoice takes the same lock, so that it sees the data either before or after the change.
  await billingAccountLock(queries, account.id);
  const data = await loadTax(queries, account);
  const now = app.clock.now();
  const { vatnumber, ...sameColumns } = fields;
  const number = vatnumber === undefined ? data.vat_number : normalizeVatNumber(vatnumber);
  const kind = fields.kind ?? data.kind;
  if (vatnumber !== undefined && number !== '') requireVatNumber(account, number);
  if (kind === 'private' && number !== '') throw invalid({ kind: 'must be business if there is a VAT number' });
  if (fields.delivery === 'network' && !(await hasAccessPoint(queries)))
    throw conflict('The provider does not use an e-invoicing network.');
  const isNew = number !== data.vat_number;
  await store.accountTaxPut(queries, {
    ...data,
    ...evidence,
    ...pickDefined(sameColumns),
    kind,
    vat_number: number,
    changed_at: now,
    ...(isNew && { state: 'unchecked', checked_at: null, failing_since: null }),
    ...(isNew && { next_check_at: isInVies(number) ? now : null }),
    // What staff confirmed was the previous number.
    ...(isNew && data.override === 'valid' && { override: 'none', override_reason: '' }),
  });
  if (isNew) await reconcilerSignal(queries, store.vatReconciler);
}

function requireVatNumber({ country, postcode }: Account, number: string): void {
  const prefixes = vatPrefixes(territoryOf(country, postcode).country.slice(0, 2));
  if (!prefixes.some((prefix) => number.startsWith(prefix)))
    throw invalid({ vatnumber: `must begin with ${prefixes.join(' or ')}, the prefix of your country` });
  if (!hasVatFormat(number)) throw invalid({ vatnumber: 'is not a VAT number of your country; check the digits' });
}

/** Returns the stored data, or that of an account without any. */
async function loadTax(queries: Queries, account: Account): Promise<store.AccountTax> {
  const stored = await store.accountTaxFind(queries, account.id);
  return (
    stored ?? {
      account_id: account.id,
      kind: presumedKind(account),
      vat_number: '',
      reference: '',
      endpoint: '',
      attachment: 'none',
      pdf: 'automatic',
      delivery: 'email',
      order_country: '',
      state: 'unchecked',
      checked_at: null,
      next_check_at: null,
      failing_since: null,
      override: 'none',
      override_reason: '',
      changed_at: 0,
    }
  );
}

async function describeTax({ queries, app }: Context, account: Account): Promise<Static<typeof TaxData>> {
  const now = app.clock.now();
  const data = await loadTax(queries, account);
  const settings = await getTaxSettings(queries);
  const decide = await loadTaxRules(queries, account, now);
  const next = decide?.({ day: dayOf(now), kind: 'service' });
  return {
    kind: data.kind,
    vatnumber: data.vat_number,
    validation: settings === undefined ? data.state : validationState(data, settings, now),
    checked: data.checked_at === null ? null : timeText(data.checked_at),
    reference: data.reference,
    endpoint: data.endpoint,
    attachment: data.attachment,
    pdf: data.pdf,
    delivery: data.delivery,
    networkavailable: await hasAccessPoint(queries),
    category: next?.category ?? '',
    rate: moneyText(next?.rate ?? 0),
    reason: next?.reason ?? '',
  };
}
