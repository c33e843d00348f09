// The values of a message about an event: the event's data and what belongs to it, written for a reader of one language.
import { licenceLabel } from '#contract/licence-name.ts';
import type { EventMailKind } from '#contract/mail/kinds.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import { licenceFind, licencePriceList } from '#store/billing/licences.ts';
import { accountFind } from '#store/account/accounts.ts';
import { contactFind } from '#store/account/contacts.ts';
import { invoiceFind } from '#store/billing/invoices.ts';
import { machineNetworks } from '#store/devices/machines.ts';
import { serviceFind } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { eventData, type StoredEvent } from '#store/work/events.ts';
import { licenceSealContext } from '#workflows/billing/licence-order.ts';
import { withoutLinks } from '../account/links.ts';
import type { App } from '../app.ts';
import { samples } from './layouts.ts';
import type { Catalogue } from './texts.ts';

export type Values = Readonly<Record<string, string>>;

/** An event with everything that its message needs. */
export interface Occasion {
  readonly kind: EventMailKind;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly currency: string;
  /** Further values, which need no formatting. */
  readonly more: Values;
}

export async function loadOccasion(
  { secrets }: Pick<App, 'secrets'>,
  queries: Queries,
  event: StoredEvent,
): Promise<Occasion> {
  const { account_id: account } = event;
  const data = eventData.decode(event.data) as Record<string, unknown>;
  // The price list may have a name for people.
  if (typeof data['license'] === 'string') {
    const license = data['license'];
    const label = (await licencePriceList(queries)).find(({ name }) => name === license)?.label ?? '';
    data['license'] = licenceLabel({ label, license });
  }
  // Anybody can be a contact, so that what a customer calls their keys must not advertise.
  if (event.type.startsWith('key.') && typeof data['name'] === 'string') data['name'] = withoutLinks(data['name']);
  const owner = await accountFind(queries, account);
  const service = event.service_id === null ? undefined : await serviceFind(queries, account, event.service_id);
  const contactId = Number(data['contactid'] ?? 0);
  const person = contactId > 0 ? await contactFind(queries, account, contactId) : owner;
  const more: Record<string, string> = {
    ...(service !== undefined && {
      service: String(service.id),
      hostname: service.hostname,
      product: service.name,
      ip: service.ip,
    }),
    ...('contactid' in data && { person: person === undefined ? '' : personText(person) }),
  };
  if (event.type === 'machine.created' && service !== undefined)
    more['netblock'] = await addressesText(queries, service.id);
  // It is created now, and another message says when it runs.
  if (event.type === 'service.provisioned' && service?.vmid != null) more['variant'] = 'machine';
  if (event.type === 'software.fulfilled') {
    const id = Number(data['orderid']);
    const sealed = (await licenceFind(queries, account, id))?.licence_key;
    if (sealed) more['key'] = secrets.open(sealed, licenceSealContext(id));
  }
  if (event.type === 'invoice.issued') {
    const invoice = await invoiceFind(queries, account, Number(data['invoiceid']));
    if (invoice?.kind === 'CreditNote') more['variant'] = 'credit';
  }
  return { kind: event.type as EventMailKind, at: event.at, data, currency: owner?.currency ?? '', more };
}

/** A single address is written without its length. */
async function addressesText(queries: Queries, service: number): Promise<string> {
  const networks = (await machineNetworks(queries, [service])).get(service) ?? [];
  return networks.map((network) => network.replace(/\/(?:32|128)$/, '')).join(', ');
}

export function sampleOccasion(kind: EventMailKind, at: number): Occasion {
  const service = { service: '1001', hostname: 'web1.example.net', product: 'Dedicated server', ip: '192.0.2.10' };
  const netblock = '192.0.2.10, 2001:db8::/64';
  const more = { ...service, netblock, person: 'Ada Lovelace <ada@example.net>', key: 'XXXX-1234-YYYY-5678' };
  return { kind, at, data: { ...samples[kind] }, currency: 'EUR', more };
}

function personText({ firstname, lastname, email }: { firstname: string; lastname: string; email: string }): string {
  return `${withoutLinks(`${firstname} ${lastname}`)} <${email}>`;
}

/** Returns the name of the texts: some kinds have two, depending on what happened. */
export function textsName({ kind, data, more }: Occasion): string {
  if (kind === 'network.attack.started' && data['direction'] === 'outgoing') return `${kind}.outgoing`;
  if (kind === 'network.bandwidth.reached' && data['threshold'] === '100') return `${kind}.full`;
  if (kind === 'account.suspended' && data['invoicenum'] === '') return `${kind}.staff`;
  return more['variant'] === undefined ? kind : `${kind}.${more['variant']}`;
}

const moneyNames = new Set(['total', 'amount', 'oldprice', 'newprice']);
const rateNames = new Set(['committed', 'used']);
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

export function occasionValues(occasion: Occasion, language: string, { words }: Catalogue): Values {
  const { money, number, day, month, time } = formatsOf(language);
  const format = (name: string, value: unknown): string => {
    if (Array.isArray(value)) return value.map((item) => format(name, item)).join(', ');
    if (typeof value !== 'string') return typeof value === 'number' ? String(value) : '';
    if (moneyNames.has(name)) return money(value, occasion.currency);
    if (rateNames.has(name)) return `${number(value)} Mbit/s`;
    if (name === 'month') return month(value);
    if (dayPattern.test(value)) return day(value);
    if (timePattern.test(value)) return time(Date.parse(value));
    return words[`${name}.${value}`] ?? (name === 'kind' ? value.replaceAll('_', ' ') : value);
  };
  const entries = Object.entries(occasion.data).map(([name, value]) => [name, format(name, value)] as const);
  return { ...occasion.more, ...Object.fromEntries(entries), time: time(occasion.at) };
}

/** The values of a message that is not about an event. */
export function directValues(values: Values, at: number, language: string, { words }: Catalogue): Values {
  const { time } = formatsOf(language);
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    timePattern.test(value) ? time(Date.parse(value)) : (words[`${name}.${value}`] ?? value),
  ]);
  return { time: time(at), ...Object.fromEntries(entries) };
}

const formats = new BoundedMap<string, ReturnType<typeof createFormats>>(32);

/** Creating them takes as long as the rest of a message. */
function formatsOf(language: string): ReturnType<typeof createFormats> {
  const known = formats.get(language);
  if (known !== undefined) return known;
  const created = createFormats(language);
  formats.set(language, created);
  return created;
}

function createFormats(language: string) {
  const utc = { timeZone: 'UTC' } as const;
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'long', ...utc });
  const months = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', ...utc });
  const numbers = new Intl.NumberFormat(language);
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', ...utc });
  return {
    day: (text: string) => days.format(Date.parse(`${text}T00:00:00Z`)),
    month: (text: string) => months.format(Date.parse(`${text}-01T00:00:00Z`)),
    time: (at: number) => `${times.format(at)} UTC`,
    number: (text: string) => numbers.format(text as Intl.StringNumericLiteral),
    money: (text: string, currency: string) =>
      currency === ''
        ? text
        : new Intl.NumberFormat(language, { style: 'currency', currency }).format(text as Intl.StringNumericLiteral),
  };
}
