// Software licences of a service: ordered with an invoice at once, prorated to the end of the account's month; fulfilled by the
// provider; cancelled for the end of the month.
import type { Static } from 'typebox';
import { licenceNames } from '#contract/catalogue.ts';
import type { LicenceDetail, LicenceOffer, LicenceOrder, Licences } from '#contract/shapes/software.ts';
import { Fault } from '#kernel/fault.ts';
import { dayNumberText, dayOf } from '#kernel/moments.ts';
import { moneyPart, moneyText } from '#kernel/money.ts';
import { chargesInsert } from '#store/billing/charges.ts';
import * as store from '#store/billing/licences.ts';
import type { Licence } from '#store/billing/licences.ts';
import type { Service } from '#store/devices/services.ts';
import { licenceOrder, licenceSealContext } from '#workflows/licence-order.ts';
import { cancelWorkflow, startWorkflow } from '#workflows/runner.ts';
import { periodHolding, periodSeen } from '../billing/calendar.ts';
import { partText, spanText } from '../billing/charges.ts';
import { withMessage } from '../billing/messages.ts';
import { invoiceEvent, invoiceIssue } from '../billing/issue.ts';
import { licenceSubject } from '../billing/licences.ts';
import { serviceOf } from '../services/services.ts';
import type { Context } from '../yard.ts';

export type LicenceType = 'Dedicated' | 'VPS';

export async function softwareList(context: Context, id: number): Promise<Static<typeof Licences>> {
  const service = await serviceOf(context, id);
  const installed = await store.licenceList(context.queries, context.caller.account, service.id);
  const available = await availableFor(context, service, installed);
  return {
    installed: installed.map((licence) => shown(licence, service)),
    available: available.map(({ name }) => name),
  };
}

/** With what an order would cost, which the older interface has no place for either. */
export async function licenceOffers(context: Context, id: number): Promise<Static<typeof LicenceOffer>[]> {
  const { queries, caller, yard } = context;
  const service = await serviceOf(context, id);
  const installed = await store.licenceList(queries, caller.account, service.id);
  const today = dayOf(yard.clock.now());
  const month = await periodSeen(queries, caller.account, today);
  const available = await availableFor(context, service, installed);
  return available.map(({ name, price_cents }) => ({
    license: name,
    price: moneyText(price_cents),
    first: moneyText(restOfMonth(price_cents, today, month)),
  }));
}

async function availableFor({ queries }: Context, service: Service, installed: readonly Licence[]) {
  const names = new Set(installed.map(({ name }) => name));
  const prefix = prefixOf(typeOf(service));
  const prices = await store.licencePriceList(queries);
  return prices.filter(({ name }) => name.startsWith(prefix) && !names.has(name));
}

function restOfMonth(price: number, today: number, month: { readonly from: number; readonly until: number }): number {
  const days = month.until - month.from;
  return moneyPart(price, today - month.from, days, days);
}

/** With the keys, which the older interface has no place for. */
export async function licenceDetails(context: Context, id: number): Promise<Static<typeof LicenceDetail>[]> {
  const service = await serviceOf(context, id);
  const licences = await store.licenceList(context.queries, context.caller.account, service.id);
  return licences.map((licence) => ({
    orderid: String(licence.id),
    ...shown(licence, service),
    until: licence.until_day === null ? '' : dayNumberText(licence.until_day - 1),
    price: moneyText(licence.price_cents),
    key:
      licence.licence_key === null
        ? ''
        : context.yard.secrets.open(licence.licence_key, licenceSealContext(licence.id)),
  }));
}

interface Wanted {
  readonly service: number;
  readonly type: LicenceType;
  readonly license: string;
}

export async function softwareOrder(context: Context, wanted: Wanted): Promise<Static<typeof LicenceOrder>> {
  const { queries, caller, yard } = context;
  const service = await fittingService(context, wanted);
  const price = (await store.licencePriceList(queries)).find(({ name }) => name === wanted.license)?.price_cents;
  if (price === undefined) throw new Fault('not_in_catalogue', { message: 'The provider does not sell this licence.' });
  const now = yard.clock.now();
  const today = dayOf(now);
  const month = await periodHolding(queries, caller.account, today);
  const orderId = await store.licenceInsert(queries, {
    account_id: caller.account,
    service_id: service.id,
    name: wanted.license,
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
    throw new Fault('already_exists', { message: 'The service has this licence already, or has it until it ends.' });
  const days = month.until - month.from;
  const cents = restOfMonth(price, today, month);
  const part = partText(month.until - today, days, price);
  const description = `${wanted.license} (${service.hostname}), ${spanText(today, month.until)}${part}`;
  const invoice = await invoiceIssue(queries, caller.account, {
    now,
    lines: [{ type: 'License', service: service.id, description, cents, taxed: true }],
    credit: 'kept',
  });
  const charge = { kind: 'License', subject: licenceSubject({ id: orderId }), amount_cents: cents } as const;
  await chargesInsert(queries, caller.account, month.from, invoice.id, [
    { ...charge, from_day: today, until_day: month.until },
  ]);
  const workflow = await startWorkflow(yard, queries, licenceOrder, {
    account: caller.account,
    service: service.id,
    operation: context.operation,
    input: { licence: orderId },
  });
  await store.licenceWorkflowSet(queries, caller.account, orderId, workflow);
  context.tell('software.ordered', { orderid: String(orderId), license: wanted.license }, service.id);
  const issued = invoiceEvent(invoice);
  context.tell('invoice.issued', await withMessage(queries, caller.account, 'invoice.issued', issued));
  return { orderid: String(orderId), invoiceid: String(invoice.id), license: wanted.license, status: 'Pending' };
}

export async function softwareCancel(context: Context, wanted: Wanted): Promise<void> {
  const { queries, caller, yard } = context;
  const service = await fittingService(context, wanted);
  const licences = await store.licenceList(queries, caller.account, service.id);
  const licence = licences.find(({ name }) => name === wanted.license);
  if (licence === undefined) throw new Fault('not_found');
  const today = dayOf(yard.clock.now());
  const { until } = await periodHolding(queries, caller.account, today);
  if (!(await store.licenceCancel(queries, caller.account, licence.id, until))) return;
  if (licence.status === 'Pending') await cancelWorkflow(yard, queries, licence.workflow_id);
  const data = { orderid: String(licence.id), license: licence.name, until: dayNumberText(until - 1) };
  context.tell('software.cancelled', data, service.id);
}

async function fittingService(context: Context, { service: id, type, license }: Wanted): Promise<Service> {
  const service = await serviceOf(context, id);
  if (!licenceNames.includes(license)) {
    const names = licenceNames.filter((name) => name.startsWith(prefixOf(typeOf(service))));
    throw new Fault('not_in_catalogue', { message: `There is no such licence; there are ${names.join(', ')}.` });
  }
  if (type !== typeOf(service) || !license.startsWith(prefixOf(type)))
    throw new Fault('capability_missing', { message: `This service takes licences of type ${typeOf(service)}.` });
  return service;
}

function typeOf({ type }: Service): LicenceType {
  return type === 'dedicated' ? 'Dedicated' : 'VPS';
}
function prefixOf(type: LicenceType): string {
  return `${type.toUpperCase()}_`;
}

function shown(licence: Licence, service: Service) {
  const { name: license, status, from_day } = licence;
  return { license, type: typeOf(service), status, since: dayNumberText(from_day) };
}
