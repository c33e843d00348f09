// Events and webhooks, our additions. An event looks the same in the log, in the stream and in a webhook's body.
import { Type, type TSchema } from 'typebox';
import { eventKinds, type EventType } from '../events/events.ts';
import { Moment } from './account.ts';
import { described, momentOrEmpty, text } from './text.ts';

export interface EventValue {
  readonly id: string;
  readonly type: EventType;
  readonly version: number;
  readonly timestamp: string;
  readonly service: string;
  readonly data: object;
}

function eventShape(type: string, version: number, summary: string, data: TSchema) {
  return Type.Object(
    {
      id: described('Stays the same wherever this event appears; use it to detect duplicates'),
      type: Type.Literal(type),
      version: Type.Literal(version),
      timestamp: described('When it happened, ISO 8601 in UTC'),
      service: described('The service that the event is about; empty if none'),
      data,
    },
    { description: summary },
  );
}

export const Event = Type.Unsafe<EventValue>(
  Type.Union(
    Object.entries(eventKinds).map(([type, { version, summary, data }]) => eventShape(type, version, summary, data)),
  ),
);

export const EventPage = Type.Object({
  events: Type.Array(Event),
  cursor: described('Pass it as `after` to continue from here'),
});

export const webhookStatuses = ['Active', 'Off'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];
export const Webhook = Type.Object({
  id: text,
  url: text,
  description: text,
  events: Type.Array(text, { description: 'Event types that are sent; empty for all' }),
  status: Type.Enum(webhookStatuses),
  reason: described('Why it is disabled'),
  created: Moment,
  overlapends: momentOrEmpty('Until when the previous secret also signs'),
});
export const NewWebhook = Type.Object({
  id: text,
  secret: described('For verifying signatures; returned only once, and empty if it did not change'),
});

export const deliveryStatuses = ['Pending', 'Delivered', 'Failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
export const Delivery = Type.Object({
  id: text,
  webhook: text,
  event: described('Id of the event'),
  type: text,
  service: text,
  status: Type.Enum(deliveryStatuses),
  attempts: text,
  answer: described('HTTP status of the last response; empty if there was none'),
  error: described('Why the last attempt failed'),
  created: Moment,
  last: momentOrEmpty('The last attempt'),
  next: momentOrEmpty('The next attempt'),
  replayof: described('The delivery that this one resends'),
});
export const NewDelivery = Type.Object({ id: text });
