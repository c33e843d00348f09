// Licence orders as staff handle them: list those that wait for a key, and deliver it.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { licenceOperator, LicenceOrder } from '#contract/operator/licence.ts';
import { appendEvent } from '#events/append.ts';
import { conflict } from '#lib/api-error.ts';
import { CommandError } from '#lib/command-error.ts';
import { moneyText } from '#lib/money.ts';
import { timeText } from '#lib/time.ts';
import {
  licenceFulfil,
  licencePendingFind,
  licencePriceList,
  licencesPending,
  type Licence,
} from '#store/billing/licences.ts';
import type { Queries } from '#store/store.ts';
import { licenceSealContext } from '#workflows/billing/licence-order.ts';
import { workflowJob } from '#workflows/engine/runner.ts';
import { pageLength } from '../operator/accounts.ts';
import type { App, Context } from '../app.ts';

export async function licenceOrderList(
  { queries }: Context,
  { limit = pageLength, after = 0 }: InputOf<typeof licenceOperator.licenceOrderList>,
): Promise<Static<typeof LicenceOrder>[]> {
  const labels = new Map((await licencePriceList(queries)).map(({ name, label }) => [name, label]));
  return (await licencesPending(queries, { after, limit })).map((licence) => ({
    id: String(licence.id),
    account: String(licence.account_id),
    service: String(licence.service_id),
    licence: licence.name,
    label: labels.get(licence.name) ?? '',
    price: moneyText(licence.price_cents),
    ordered: timeText(licence.created_at),
    workflow: licence.workflow_id,
  }));
}

export async function licenceOrderDeliver(
  context: Context,
  { id, key }: InputOf<typeof licenceOperator.licenceOrderDeliver>,
): Promise<void> {
  const { app, queries } = context;
  const order = await deliverKey(app, queries, id, key.trim());
  if (order === undefined) throw conflict('The order is not waiting for a key.');
  context.onBehalfOf(order.account_id).emit('software.fulfilled', eventDataOf(order), order.service_id);
}

export async function listLicenceOrders({ store: { queries } }: App): Promise<string[]> {
  const lines: string[] = [];
  for (let after = 0; ;) {
    const page = await licencesPending(queries, { after, limit: pageLength });
    lines.push(
      ...page.map((order) => `${order.id} account ${order.account_id} service ${order.service_id} ${order.name}`),
    );
    if (page.length < pageLength) return lines;
    after = page.at(-1)!.id;
  }
}

export async function fulfilLicence(app: App, id: number, key: string): Promise<void> {
  await app.store.transaction(async (queries) => {
    const order = await deliverKey(app, queries, id, key);
    if (order === undefined) throw new CommandError(`Order ${id} is not waiting for a key.`);
    const { account_id: account, service_id: service } = order;
    await appendEvent(app, queries, { account, service, type: 'software.fulfilled', data: eventDataOf(order) });
  });
}

/** Stores the key and wakes the workflow, which would otherwise poll minutes later. Returns undefined if no such order waits. */
async function deliverKey(app: App, queries: Queries, id: number, key: string): Promise<Licence | undefined> {
  const order = await licencePendingFind(queries, id);
  if (order === undefined || !(await licenceFulfil(queries, id, app.secrets.seal(key, licenceSealContext(id)))))
    return undefined;
  await app.queue.enqueue(queries, workflowJob, { id: order.workflow_id });
  return order;
}

function eventDataOf({ id, name }: Licence) {
  return { orderid: String(id), license: name };
}
