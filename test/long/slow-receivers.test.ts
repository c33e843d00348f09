// Webhooks of a customer to receivers that accept connections and respond late or never: once that has been noticed, they take few
// of the connections that all customers share, and the events of another customer arrive.
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { webhookWorker } from '#app/events/webhook-delivery.ts';
import { appendEvent } from '#events/append.ts';
import type { AccountId } from '#store/account-id.ts';
import { openTestApp } from '#test/support/app.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { requestResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

const webhooks = 20;
const services = [1001, 2001, 3001];
/** So that a receiver has many to respond to. */
const eventsPerService = 5;
/** What one process sends at once, and what an account with slow receivers may use of it. */
const [all, share] = [50, 10];

const receivers = {
  'never respond': () => {},
  'respond late': (response: ServerResponse) => void setTimeout(() => response.writeHead(204).end(), 3000),
};
for (const [behavior, respond] of Object.entries(receivers))
  test(`receivers that ${behavior} delay only the account that chose them`, async () => {
    const open = new Set<ServerResponse>();
    let most = 0;
    let accepted = 0;
    const tarpit = createServer((request, response) => {
      request.resume();
      open.add(response);
      accepted++;
      most = Math.max(most, open.size);
      response.on('close', () => open.delete(response));
      respond(response);
    }).listen(0, '127.0.0.1');
    using ending = new DisposableStack();
    ending.defer(() => tarpit.close().closeAllConnections());
    await once(tarpit, 'listening');
    await using receiver = await startReceiver();
    await using app = await openTestApp({ site: { webhooks: { allow: ['127.0.0.0/8'] } } });
    const { customer, stranger } = app.lab;
    const register = (key: string, url: string) =>
      requestResult(app, 'POST', '/v2/account/webhook', { key, params: { url, events: ['key.revoked'] } });
    const { port } = tarpit.address() as AddressInfo;
    for (let index = 0; index < webhooks; index++) await register(customer.key, `http://127.0.0.1:${port}/${index}`);
    await register(stranger.key, receiver.url);
    const emit = (account: string, service?: number): Promise<void> =>
      app.parts.store.transaction((queries) =>
        appendEvent(app.parts, queries, {
          account: Number(account) as AccountId,
          type: 'key.revoked',
          ...(service === undefined ? {} : { service }),
          data: { keyid: '0', name: 'any' },
        }),
      );
    for (const service of services)
      for (let event = 0; event < eventsPerService; event++) await emit(customer.account, service);
    await app.parts.queue.start([webhookWorker(app.parts, [1, 1, 1, 1, 1, 1])]);
    const patience = { patienceMs: 120_000, saw: () => ({ accepted, open: open.size }) };
    await until(() => accepted >= all, patience);
    // All of them wait until their time is over, and are followed by others.
    await until(() => open.size <= share, patience);
    const before = accepted;
    most = 0;
    await until(() => accepted > before + share, patience);
    assert.ok(most <= share, `${most} at once`);
    await emit(stranger.account);
    await receiver.accepted(1);
    assert.ok(most <= share, `${most} at once`);
  });
