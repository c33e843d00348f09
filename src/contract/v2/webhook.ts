// Version 2, our addition: webhooks with Standard Webhooks signatures, their delivery log, and replay.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { eventTypes } from '../events/events.ts';
import * as p from '../parameters.ts';
import { Delivery, deliveryStatuses, NewDelivery, NewWebhook, Webhook, webhookStatuses } from '../shapes/event.ts';

const Events = p.List(p.Choice(...eventTypes), { max: eventTypes.length });
const Description = p.Text({ max: 255 });

const readEndpoint = { method: 'GET', tag: 'webhook', access: 'webhook:read', addition: true } as const;
const writeEndpoint = { tag: 'webhook', access: 'webhook:write', effect: 'stored', addition: true } as const;

export const webhookV2 = {
  webhookGet: endpoint({
    ...readEndpoint,
    path: '/v2/account/webhook',
    summary: 'List or get webhooks',
    description: 'Secrets are never returned.',
    params: { id: p.optional(p.Id) },
    result: Type.Array(Webhook),
  }),
  webhookCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/v2/account/webhook',
    summary: 'Create a webhook',
    description:
      'The secret is returned only once. Each event is POSTed as JSON with a Standard Webhooks signature. Any 2xx response within 10 seconds is a success; ' +
      'otherwise the delivery is retried over three days. Events of one service arrive in order. 410 disables the webhook.',
    params: { url: p.CallbackUrl, events: p.optional(Events), description: p.optional(Description) },
    result: NewWebhook,
    errors: ['state_conflict'],
  }),
  webhookUpdate: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/v2/account/webhook',
    summary: 'Update a webhook or rotate its secret',
    description:
      'With `rotate`, returns the new secret, and both secrets sign for `overlap` seconds; otherwise the secret is empty.',
    params: {
      id: p.Id,
      url: p.optional(p.CallbackUrl),
      events: p.optional(Events),
      description: p.clearable(Description),
      status: p.optional(p.Choice(...webhookStatuses)),
      rotate: p.optional(p.Flag),
      overlap: p.optional(p.Whole(0, 7 * 86_400)),
    },
    target: ['id'],
    result: NewWebhook,
  }),
  webhookDelete: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/v2/account/webhook',
    summary: 'Delete a webhook',
    description: 'Also deletes its delivery log.',
    params: { id: p.Id },
    target: ['id'],
  }),
  deliveryGet: endpoint({
    ...readEndpoint,
    path: '/v2/account/webhook/delivery',
    summary: 'List deliveries, newest first',
    params: {
      webhook: p.optional(p.Id),
      status: p.optional(p.Choice(...deliveryStatuses)),
      ...p.pageBefore(p.Id),
    },
    result: Type.Array(Delivery),
  }),
  deliveryReplay: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/v2/account/webhook/delivery',
    summary: 'Resend a delivery',
    description: 'The delivery is queued behind pending ones.',
    params: { id: p.Id },
    target: ['id'],
    result: NewDelivery,
    errors: ['state_conflict'],
  }),
} as const;
