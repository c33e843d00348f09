// An event as a person reads it: what it concerns, under its present name, what happened, who did it and from where.
// test/sweeps/event-sentences.test.ts fails if a type of event has none.
import type { Event } from '#sdk/v2.ts';
import { eventText } from './event-text.ts';
import { t } from './text.ts';

export interface EventSentence {
  /** The server or the person that the event concerns, unless the text names what it concerns. */
  readonly subject?: string;
  readonly text: string;
  /** Who did it, and from where, if the event has it. */
  readonly origin?: string;
  /** All of it, for search, screen readers and terminals. */
  readonly sentence: string;
}

/** Returns the present name of a server or a person. */
export type EventNames = (thing: 'service' | 'contact', id: string) => string | undefined;

export function describeEvent(event: Event, nameOf: EventNames = () => undefined): EventSentence {
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
  return {
    ...(subject !== undefined && { subject }),
    text,
    ...(origin !== undefined && { origin }),
    sentence: [subject === undefined ? text : `${subject}: ${text}`, origin].filter(Boolean).join(', '),
  };
}

function personName(contact: string, nameOf: EventNames): string {
  return contact === '' ? t('Account owner') : (nameOf('contact', contact) ?? t('Contact {contact}', { contact }));
}

function originText(person: string, address: string): string {
  return address === '' ? t('by {person}', { person }) : t('by {person} from {address}', { person, address });
}
