// hostyard webhook: events sent to a URL, and their deliveries.
import { Option } from 'commander';
import type { WebhookCreateInput, WebhookUpdateInput } from '#sdk/v2.ts';
import { apiCommand, collectList, parseCount, withYes, type YesOption } from '../command.ts';
import { notFound } from '../lookup.ts';
import { confirm } from '../prompt.ts';

const statuses = ['Pending', 'Delivered', 'Failed'] as const;
const secretOverlapSeconds = 86_400;

interface AddOptions {
  readonly events?: string[];
  readonly description?: string;
}
interface SetOptions {
  readonly url?: string;
  readonly events?: WebhookUpdateInput['events'];
  readonly description?: string;
  readonly status?: 'Active' | 'Off';
  readonly rotate?: boolean;
}
interface DeliveryOptions {
  readonly status?: (typeof statuses)[number];
  readonly limit: number;
}

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List webhooks',
    run: async ({ client, print }) =>
      print.table(await client.webhookGet(), ['id', 'url', 'events', 'status', 'reason', 'description']),
  }),
  apiCommand({
    usage: 'add <url>',
    summary: 'Add a webhook and print its signing secret once',
    options: (command) =>
      command
        .option('--events <types>', 'Event types, separated by commas (default: all)', collectList)
        .option('--description <text>', 'Purpose of the webhook'),
    run: async ({ client, print }, { url }, options: AddOptions) =>
      print.fields(await client.webhookCreate({ url, ...(options as Pick<WebhookCreateInput, 'events'>) })),
  }),
  apiCommand({
    usage: 'set <id>',
    summary: 'Update a webhook',
    options: (command) =>
      command
        .option('--url <url>', 'New URL')
        .option('--events <types>', 'Event types, separated by commas', collectList)
        .option('--description <text>', 'Purpose of the webhook')
        .addOption(new Option('--status <status>', 'Enable or disable it').choices(['Active', 'Off']))
        .option('--rotate', 'Create a new signing secret; the old one also signs for another day'),
    async run({ client, print }, { id }, { rotate, ...changes }: SetOptions) {
      const rotation = rotate === true ? { rotate, overlap: secretOverlapSeconds } : {};
      const webhook = await client.webhookUpdate({ id, ...changes, ...rotation });
      await (rotate === true ? print.fields(webhook) : print.text('Webhook updated.'));
    },
  }),
  apiCommand({
    usage: 'delete <id>',
    summary: 'Delete a webhook and its delivery log',
    options: withYes,
    async run({ client, print, shell }, { id }, options: YesOption) {
      const [webhook] = await client.webhookGet({ id });
      if (webhook === undefined) throw notFound('Webhook', id);
      await confirm(shell, `Delete the webhook to ${webhook.url} and its delivery log?`, options);
      await client.webhookDelete({ id });
      await print.text('Webhook deleted.');
    },
  }),
  apiCommand({
    usage: 'deliveries [webhook]',
    summary: 'List deliveries, newest first',
    options: (command) =>
      command
        .addOption(new Option('--status <status>', 'Only deliveries with this status').choices(statuses))
        .option('--limit <number>', 'Maximum number of deliveries', parseCount, 50),
    async run({ client, print }, { webhook }, { status, limit }: DeliveryOptions) {
      const deliveries = await client.deliveryGet({ limit, webhook, status });
      const columns = ['id', 'webhook', 'type', 'service', 'status', 'attempts', 'answer', 'created', 'error'] as const;
      await print.table(deliveries, columns);
    },
  }),
  apiCommand({
    usage: 'replay <delivery>',
    summary: 'Send a delivery again',
    run: async ({ client, print }, { delivery }) => print.text((await client.deliveryReplay({ id: delivery })).id),
  }),
];
