// An event as a person reads it: what it concerns, under its present name and with its page, what happened, who did it
// and from where. test/sweeps/event-sentences.test.ts fails if a type of event has none.
import type { Event } from '#sdk/v2.ts';
import { t } from '../text/text.ts';
import type { NameOf } from './audit-sentences.ts';
import { eventText } from './event-text.ts';

export interface PanelPage {
  readonly to: string;
  readonly hash?: string;
}

export interface EventSentence {
  /** The server or the person that the event concerns, unless the text names what it concerns. */
  readonly subject?: string;
  readonly text: string;
  /** The page of what the event concerns; undefined if that is gone. */
  readonly page?: PanelPage;
  /** Who did it, and from where, if the event has it. */
  readonly origin?: string;
  /** All of it, for search and screen readers. */
  readonly sentence: string;
}

/** Things that have no page any more. */
const goneAfter = new Set(['contact.deleted', 'dns.zone.deleted', 'dns.zone.withdrawn', 'service.terminated']);

/** The tab of a server's page, by prefix of the event type. */
const serverTabs: readonly (readonly [prefix: string, tab: string])[] = [
  ['device.reload', 'install'],
  ['device.rescue', 'install'],
  ['device.password', 'install'],
  ['device.image', 'install'],
  ['device.hardware', 'hardware'],
  ['device.reclaimed', 'certificate'],
  ['network.', 'network'],
  ['dns.reverse', 'network'],
];

/** Pages of things without a service, by prefix of the event type; the first that matches applies. */
const pages: readonly (readonly [prefix: string, path: string])[] = [
  ['account.export', '/privacy'],
  ['account.erasure', '/privacy'],
  ['account.suspended', '/invoices'],
  ['account.resumed', '/invoices'],
  ['account.', '/security'],
  ['contact.', '/contacts'],
  ['dns.', '/dns'],
  ['invoice.', '/invoices'],
  ['key.', '/keys'],
  ['maintenance.', '/'],
  ['network.', '/network'],
  ['payment.', '/invoices'],
  ['plan.', '/plans'],
  ['software.', '/licences'],
  ['sshkey.', '/ssh-keys'],
  ['support.', '/security'],
];

export function describeEvent(event: Event, nameOf: NameOf = () => undefined): EventSentence {
  const { data } = event;
  const person = 'contactid' in data ? data.contactid : undefined;
  const address = 'address' in data ? data.address : '';
  const isAboutPerson = event.type.startsWith('contact.');
  const subject =
    event.service !== ''
      ? (nameOf('service', event.service) ?? t('Service {service}', { service: event.service }))
      : isAboutPerson
        ? personName(person ?? '', nameOf)
        : undefined;
  const text = eventText(event);
  const origin = isAboutPerson || person === undefined ? undefined : originText(personName(person, nameOf), address);
  const page = pageOf(event);
  return {
    ...(subject !== undefined && { subject }),
    text,
    ...(page !== undefined && { page }),
    ...(origin !== undefined && { origin }),
    sentence: [subject === undefined ? text : `${subject}: ${text}`, origin].filter(Boolean).join(', '),
  };
}

function personName(contact: string, nameOf: NameOf): string {
  return contact === '' ? t('Account owner') : (nameOf('contact', contact) ?? t('Contact {contact}', { contact }));
}

function originText(person: string, address: string): string {
  return address === '' ? t('by {person}', { person }) : t('by {person} from {address}', { person, address });
}

export function pageOf({ type, service, data }: Event): PanelPage | undefined {
  if (goneAfter.has(type)) return undefined;
  if (service !== '' && !type.startsWith('software.')) {
    const tab = serverTabs.find(([prefix]) => type.startsWith(prefix))?.[1];
    return { to: `/servers/${service}`, ...(tab !== undefined && { hash: tab }) };
  }
  if ('domain_id' in data) return { to: `/dns/${data.domain_id}` };
  if ('invoiceid' in data) return { to: '/invoices', hash: data.invoiceid };
  const path = pages.find(([prefix]) => type.startsWith(prefix))?.[1];
  return path === undefined ? undefined : { to: path };
}
