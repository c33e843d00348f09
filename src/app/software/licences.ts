// Software licences of a service: invoiced on order, prorated to the end of the account's billing month, fulfilled by
// the provider, and cancelled to the end of the month, or at once if the key was never delivered.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { softwareLegacy } from '#contract/legacy/software.ts';
import { licenceNames } from '#contract/catalogue.ts';
import { licenceType } from '#contract/licence-name.ts';
import type { LicenceDetail, LicenceOffer, LicenceOrder, Licences } from '#contract/shapes/software.ts';
import { ApiError, requireFound } from '#lib/api-error.ts';
import { dayNumberText, dayOf } from '#lib/time.ts';
import { moneyPart, moneyText } from '#lib/money.ts';
import { chargesInsert } from '#store/billing/charges.ts';
import * as store from '#store/billing/licences.ts';
import type { Service } from '#store/devices/services.ts';
import { licenceOrder, licenceSealContext } from '#workflows/billing/licence-order.ts';
import { cancelWorkflow } from '#workflows/engine/runner.ts';
import { ensurePeriod, findPeriod } from '../billing/calendar.ts';
import { prorationText, spanText } from '../billing/charges.ts';
import { withMessage } from '../billing/messages.ts';
import { requireProviderCurrency } from '../billing/currency/account-currency.ts';
import { recordOrderCountry } from '../billing/tax/evidence.ts';
import { invoiceEventData, issueInvoice } from '../billing/issue.ts';
import { licenceSubject } from '../billing/licences.ts';
import { serviceOf, startServiceWork } from '../services/services.ts';
import { withdrawLicence } from './licence-orders.ts';
import type { Context } from '../app.ts';

export async function softwareList(context: Context, id: number): Promise<Static<typeof Licences>> {
  const service = await serviceOf(context, id);
  const licences = await store.licenceList(context.queries, context.caller.account, service.id);
  const available = await listAvailable(context, service, licences);
  return {
    installed: licences
      .filter(({ licence_key }) => licence_key !== null)
      .map((licence) => licenceShape(context, licence, service)),
    available: available.map(({ name }) => name),
  };
}

/** Includes what an order would cost, which the legacy API cannot express. */
export async function licenceOffers(context: Context, id: number): Promise<Static<typeof LicenceOffer>[]> {
  const { queries, caller, app } = context;
  const service = await serviceOf(context, id);
  const installed = await store.licenceList(queries, caller.account, service.id);
  const today = dayOf(app.clock.now());
  const month = await findPeriod(queries, caller.account, today);
  const available = await listAvailable(context, service, installed);
  return available.map(({ name, label, price_cents }) => ({
    license: name,
    label,
    price: moneyText(price_cents),
    first: moneyText(proratedPrice(price_cents, today, month)),
  }));
}

async function listAvailable({ queries }: Context, service: Service, ordered: readonly store.Licence[]) {
  if (service.status === 'Terminated') return [];
  const names = new Set(ordered.map(({ name }) => name));
  const prefix = namePrefix(licenceType(service));
  const prices = await store.licencePriceList(queries);
  return prices.filter(({ name }) => name.startsWith(prefix) && !names.has(name));
}

function proratedPrice(price: number, today: number, month: { readonly from: number; readonly until: number }): number {
  const days = month.until - month.from;
  return moneyPart(price, today - month.from, days, days);
}

/** Includes orders that were not delivered yet, and prices, which the legacy API cannot express. */
export async function licenceDetails(context: Context, id: number): Promise<Static<typeof LicenceDetail>[]> {
  const service = await serviceOf(context, id);
  const licences = await store.licenceList(context.queries, context.caller.account, service.id);
  const labels = new Map((await store.licencePriceList(context.queries)).map(({ name, label }) => [name, label]));
  return licences.map((licence) => ({
    orderid: String(licence.id),
    label: labels.get(licence.name) ?? '',
    ...licenceShape(context, licence, service),
    until: licence.until_day === null ? '' : dayNumberText(licence.until_day - 1),
    price: moneyText(licence.price_cents),
  }));
}

type LicenceSelection = InputOf<typeof softwareLegacy.softwareCancel>;

export async function softwareOrder(
  context: Context,
  selection: LicenceSelection,
): Promise<Static<typeof LicenceOrder>> {
  const { queries, caller, app } = context;
  const service = await requireMatchingService(context, selection);
  const price = (await store.licencePriceList(queries)).find(({ name }) => name === selection.license)?.price_cents;
  if (price === undefined) throw new ApiError('not_in_catalogue', { message: 'This licence is not available.' });
  const now = app.clock.now();
  await requireProviderCurrency(queries, caller.account);
  await recordOrderCountry(queries, caller.account, caller, now);
  const today = dayOf(now);
  const month = await ensurePeriod(queries, caller.account, today);
  const orderId = await store.licenceInsert(queries, {
    account_id: caller.account,
    service_id: service.id,
    name: selection.license,
    status: 'Pending',
    price_cents: price,
    from_day: today,
    until_day: null,
    billed_until: month.until,
    licence_key: null,
    workflow_id: '',
    created_at: now,
  });
  if (orderId === undefined)
    throw new ApiError('already_exists', {
      message: 'The service already has this licence, or keeps it until its cancellation takes effect.',
    });
  const days = month.until - month.from;
  const cents = proratedPrice(price, today, month);
  const part = prorationText(month.until - today, days, price);
  const description = `${selection.license} (${service.hostname}), ${spanText(today, month.until)}${part}`;
  const invoice = await issueInvoice(queries, caller.account, {
    now,
    lines: [{ type: 'License', service: service.id, description, cents, isTaxed: true }],
    credit: 'unused',
  });
  const charge = { kind: 'License', subject: licenceSubject({ id: orderId }), amount_cents: cents } as const;
  await chargesInsert(queries, caller.account, month.from, invoice.id, [
    { ...charge, from_day: today, until_day: month.until },
  ]);
  const workflow = await startServiceWork(context, service, licenceOrder, { licence: orderId });
  await store.licenceUpdate(queries, caller.account, orderId, { workflow_id: workflow });
  context.emit('software.ordered', { orderid: String(orderId), license: selection.license }, service.id);
  const issued = invoiceEventData(invoice);
  context.emit('invoice.issued', await withMessage(queries, caller.account, 'invoice.issued', issued));
  return { orderid: String(orderId), invoiceid: String(invoice.id), license: selection.license, status: 'Pending' };
}

export async function softwareCancel(context: Context, selection: LicenceSelection): Promise<void> {
  const { queries, caller, app } = context;
  const service = await requireMatchingService(context, selection);
  const licences = await store.licenceList(queries, caller.account, service.id);
  const licence = requireFound(licences.find(({ name }) => name === selection.license));
  // If it is delivered at the same time, it is no longer an order.
  const isWithdrawn =
    licence.status === 'Pending' &&
    (await withdrawLicence(app, queries, caller.account, licence.id, 'The order was cancelled.'));
  if (isWithdrawn) return void (await cancelWorkflow(app, queries, licence.workflow_id));
  const today = dayOf(app.clock.now());
  const { until } = await ensurePeriod(queries, caller.account, today);
  if (!(await store.licenceCancel(queries, caller.account, licence.id, until))) return;
  const data = { orderid: String(licence.id), license: licence.name, until: dayNumberText(until - 1) };
  context.emit('software.cancelled', data, service.id);
}

async function requireMatchingService(
  context: Context,
  { service: id, type, license }: LicenceSelection,
): Promise<Service> {
  const service = await serviceOf(context, id);
  if (!licenceNames.includes(license)) {
    const names = licenceNames.filter((name) => name.startsWith(namePrefix(licenceType(service))));
    throw new ApiError('not_in_catalogue', { message: `Unknown licence. Available: ${names.join(', ')}.` });
  }
  if (type !== licenceType(service) || !license.startsWith(namePrefix(type)))
    throw new ApiError('capability_missing', {
      message: `This service requires licences of type ${licenceType(service)}.`,
    });
  return service;
}

function namePrefix(type: string): string {
  return `${type.toUpperCase()}_`;
}

function licenceShape({ app }: Context, licence: store.Licence, service: Service) {
  const { id, name: license, status, from_day, licence_key } = licence;
  const key = licence_key === null ? '' : app.secrets.open(licence_key, licenceSealContext(id));
  return { license, type: licenceType(service), status, since: dayNumberText(from_day), key };
}
