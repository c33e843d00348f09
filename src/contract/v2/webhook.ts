// Version 2, our addition: webhooks with Standard Webhooks signatures, their delivery log, and replay.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { eventTypes } from '../events.ts';
import * as p from '../parameters.ts';
import { Delivery, deliveryStatuses, NewDelivery, NewWebhook, Webhook, webhookStatuses } from '../shapes/event.ts';

const Events = p.List(p.Choice(...eventTypes), { max: eventTypes.length });
const Description = p.Text({ max: 255 });

export const webhookV2 = {
  webhookGet: endpoint({
    method: 'GET',
    path: '/v2/account/webhook',
    tag: 'webhook',
    access: 'webhook:read',
    addition: true,
    summary: 'All webhooks of the account, or the one with this id; never their secrets',
    params: { id: p.optional(p.Id) },
    result: Type.Array(Webhook),
  }),
  webhookCreate: endpoint({
    method: 'POST',
    path: '/v2/account/webhook',
    tag: 'webhook',
    access: 'webhook:write',
    effect: 'stored',
    addition: true,
    summary: 'Have events sent to a URL from now on; the secret is shown this once',
    description:
      'Each event is POSTed as JSON, signed as Standard Webhooks says. Any 2xx answer within 10 seconds is success; ' +
      'otherwise it is tried again, over three days. Events of one service arrive in order. 410 switches the webhook off.',
    params: { url: p.DialledUrl, events: p.optional(Events), description: p.optional(Description) },
    result: NewWebhook,
    errors: ['state_conflict'],
  }),
  webhookUpdate: endpoint({
    method: 'PUT',
    path: '/v2/account/webhook',
    tag: 'webhook',
    access: 'webhook:write',
    effect: 'stored',
    addition: true,
    summary: 'Change a webhook, switch it on or off, or rotate its secret: for `overlap` seconds both sign',
    description: 'With `rotate` the answer carries the new secret, otherwise an empty one.',
    params: {
      id: p.Id,
      url: p.optional(p.DialledUrl),
      events: p.optional(Events),
      description: p.clearable(Description),
      status: p.optional(p.Choice(...webhookStatuses)),
      rotate: p.optional(p.Flag),
      overlap: p.optional(p.Whole(0, 7 * 86_400)),
    },
    result: NewWebhook,
  }),
  webhookDelete: endpoint({
    method: 'DELETE',
    path: '/v2/account/webhook',
    tag: 'webhook',
    access: 'webhook:write',
    effect: 'stored',
    addition: true,
    summary: 'Remove a webhook with its delivery log',
    params: { id: p.Id },
    result: Type.String(),
  }),
  deliveryGet: endpoint({
    method: 'GET',
    path: '/v2/account/webhook/delivery',
    tag: 'webhook',
    access: 'webhook:read',
    addition: true,
    summary: 'What was sent, or is to be sent, to the webhooks, newest first',
    params: {
      webhook: p.optional(p.Id),
      status: p.optional(p.Choice(...deliveryStatuses)),
      limit: p.optional(p.Whole(1, 1000)),
      before: p.optional(p.Id),
    },
    result: Type.Array(Delivery),
  }),
  deliveryReplay: endpoint({
    method: 'POST',
    path: '/v2/account/webhook/delivery',
    tag: 'webhook',
    access: 'webhook:write',
    effect: 'stored',
    addition: true,
    summary: 'Send a delivery once more, behind what is still to be sent',
    params: { id: p.Id },
    result: NewDelivery,
    errors: ['state_conflict'],
  }),
} as const;
