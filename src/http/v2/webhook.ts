// v2: webhooks and their deliveries.
import type { webhookV2 } from '#contract/v2/webhook.ts';
import {
  deliveryGet,
  deliveryReplay,
  webhookCreate,
  webhookDelete,
  webhookGet,
  webhookUpdate,
} from '#app/events/webhooks.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const webhookHandlers: HandlersOf<typeof webhookV2> = {
  webhookGet: (context, { id }) => webhookGet(context, id),
  webhookCreate,
  webhookUpdate: (context, { id, ...change }) => webhookUpdate(context, id, change),
  webhookDelete: respondWith('Webhook Deleted', (context, { id }) => webhookDelete(context, id)),
  deliveryGet,
  deliveryReplay: (context, { id }) => deliveryReplay(context, id),
};
