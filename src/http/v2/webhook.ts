// v2: webhooks and their deliveries.
import type { Handlers } from '#contract/endpoint.ts';
import type { webhookV2 } from '#contract/v2/webhook.ts';
import {
  deliveryGet,
  deliveryReplay,
  webhookCreate,
  webhookDelete,
  webhookGet,
  webhookUpdate,
} from '#app/events/webhooks.ts';
import type { Context, Visitor } from '#app/app.ts';

export const webhookHandlers: Handlers<typeof webhookV2, Context, Visitor> = {
  webhookGet: (context, { id }) => webhookGet(context, id),
  webhookCreate,
  webhookUpdate: (context, { id, ...change }) => webhookUpdate(context, id, change),
  webhookDelete: async (context, { id }) => {
    await webhookDelete(context, id);
    return 'Webhook Deleted';
  },
  deliveryGet,
  deliveryReplay: (context, { id }) => deliveryReplay(context, id),
};
