// Webhooks from both sides: the account that registers them, and the receiver of the events.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { applySite } from '#app/site/apply.ts';
import { applySiteWithReport } from '#app/site/report.ts';
import { webhookWorker } from '#app/events/webhook-delivery.ts';
import { appendEvent } from '#events/append.ts';
import type { Delivery } from '#sdk/v2.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { request, requestResult } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import type { AccountId } from '#store/account-id.ts';
import { until, untilDefined } from '#test/support/until.ts';

async function call<Result>(app: TestApp, method: string, path: string, params: object = {}): Promise<Result> {
  return requestResult<Result>(app, method, path, {
    key: app.lab.customer.key,
    params: params as Record<string, unknown>,
  });
}
const register = (app: TestApp, receiver: Receiver, more: object = {}) =>
  call<{ id: string; secret: string }>(app, 'POST', '/v2/account/webhook', { url: receiver.url, ...more });
const deliveries = (app: TestApp, params: object = {}) =>
  call<Delivery[]>(app, 'GET', '/v2/account/webhook/delivery', params);

/** Emits an event about a customer's service, as device operations do. */
async function emit(app: TestApp, name: string, service?: number): Promise<void> {
  await app.parts.store.transaction((queries) =>
    appendEvent(app.parts, queries, {
      account: 1 as AccountId,
      type: 'key.revoked',
      ...(service === undefined ? {} : { service }),
      data: { keyid: '0', name },
    }),
  );
}
const namesOf = (received: readonly { event: { data: Record<string, unknown> } }[]) =>
  received.map(({ event }) => event.data['name']);

const ended = (app: TestApp, count: number) =>
  untilDefined(async () => {
    const all = await deliveries(app);
    return all.length >= count && all.every(({ status }) => status !== 'Pending') ? all : undefined;
  });

describeOnEngines('webhooks', { postgres: 'in long runs' }, ({ newDatabase }) => {
  /** Loopback is allowed by the operator, and failed deliveries are retried soon. */
  const open = async (waitsSeconds?: readonly number[]): Promise<TestApp> => {
    const app = await openTestApp(await newDatabase());
    await applySite(app.parts, { ...app.site, webhooks: { allow: ['127.0.0.0/8'] } });
    await app.parts.queue.start([webhookWorker(app.parts, waitsSeconds)]);
    return app;
  };

  it('deliver an event of an instance whose clock is ahead of this one', async () => {
    await using receiver = await startReceiver();
    await using app = await open();
    await register(app, receiver);
    const ahead = { ...app.parts, clock: { now: () => app.parts.clock.now() + 120_000 } };
    await app.parts.store.transaction((queries) =>
      appendEvent(ahead, queries, { account: 1 as AccountId, type: 'key.revoked', data: { keyid: '0', name: 'one' } }),
    );
    assert.deepEqual(namesOf(await receiver.accepted(1)), ['one']);
  });

  it('deliver an event to the receiver, whose library accepts the signature', async () => {
    await using receiver = await startReceiver();
    await using app = await open();
    const { id, secret } = await register(app, receiver, { events: ['key.created'], description: 'mine' });
    await call(app, 'POST', '/v2/account/key', { name: 'one', scopes: ['account:read'] });
    await emit(app, 'not asked for');
    const [received] = await receiver.accepted(1);
    const verified = new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>);
    assert.deepEqual(verified, received!.event);
    assert.equal(received!.event.type, 'key.created');
    assert.equal(received!.headers['webhook-id'], received!.event.id);
    assert.throws(() => new Webhook(secret).verify(`${received!.body} `, received!.headers as Record<string, string>));

    const [delivery] = await ended(app, 1);
    assert.deepEqual(
      [delivery!.webhook, delivery!.event, delivery!.status, delivery!.attempts, delivery!.answer],
      [id, received!.event.id, 'Delivered', '1', '204'],
    );
    assert.equal(receiver.received.length, 1);
    const [webhook] = await call<Record<string, unknown>[]>(app, 'GET', '/v2/account/webhook', { id });
    assert.deepEqual(
      [webhook!['url'], webhook!['events'], webhook!['status'], webhook!['description']],
      [receiver.url, ['key.created'], 'Active', 'mine'],
    );
    assert.doesNotMatch(JSON.stringify(webhook), /whsec/);
  });

  it('deliver everything in order per service to a receiver that was away for a while', async () => {
    await using receiver = await startReceiver();
    await using app = await open(Array.from({ length: 200 }, () => 0.05));
    await register(app, receiver);
    let away = true;
    // Service 1002 never fails, so it does not wait for 1001.
    receiver.respond = ({ event }) => (away && event.service !== '1002' ? 503 : 200);
    const names: string[] = [];
    for (let index = 0; index < 10; index++) {
      for (const service of [undefined, 1001, 1002]) {
        names.push(`${service} ${index}`);
        await emit(app, `${service} ${index}`, service);
      }
    }
    const quick = await untilDefined(async () => {
      const through = receiver.received.filter(({ event, status }) => event.service === '1002' && status === 200);
      return through.length === 10 ? through : undefined;
    });
    assert.deepEqual(
      namesOf(quick),
      names.filter((name) => name.startsWith('1002')),
    );
    away = false;
    const accepted = await receiver.accepted(30);
    for (const service of ['undefined', '1001', '1002']) {
      assert.deepEqual(
        namesOf(accepted).filter((name) => String(name).startsWith(service)),
        names.filter((name) => name.startsWith(service)),
      );
    }
    // Only the first delivery of a lane was tried while the receiver was away.
    const rejectedNames = new Set(namesOf(receiver.received.filter(({ status }) => status === 503)));
    assert.deepEqual([...rejectedNames].toSorted(), ['1001 0', 'undefined 0']);
    assert.ok((await ended(app, 30)).every(({ status }) => status === 'Delivered'));
  });

  it('give up on an event after the last attempt and continue with the next', async () => {
    await using receiver = await startReceiver();
    await using app = await open([0.01, 0.01]);
    await register(app, receiver);
    receiver.respond = ({ event }) => (event.data['name'] === 'bad' ? 302 : 200);
    await emit(app, 'bad');
    await emit(app, 'good');
    await receiver.accepted(1);
    const [good, bad] = await ended(app, 2);
    assert.deepEqual([bad!.status, bad!.attempts, bad!.answer], ['Failed', '3', '302']);
    assert.deepEqual([good!.status, good!.attempts], ['Delivered', '1']);
    // Redirects are not followed.
    assert.ok(receiver.received.every(({ path }) => path === '/hook'));
  });

  it('do not wait for the rest of a response whose status has arrived', async () => {
    await using receiver = await startReceiver();
    await using app = await open();
    await register(app, receiver);
    receiver.holdsBody = true;
    for (const name of ['one', 'two', 'three']) await emit(app, name);
    // Each would take ten seconds otherwise.
    await until(() => receiver.received.length === 3, { patienceMs: 9000 });
    assert.ok((await ended(app, 3)).every(({ status }) => status === 'Delivered'));
  });

  it('are disabled by a 410, say why, and continue where they stopped when enabled again', async () => {
    await using receiver = await startReceiver();
    await using app = await open([0.01]);
    const { id } = await register(app, receiver);
    receiver.respond = () => 410;
    await emit(app, 'one');
    const webhook = () => call<{ status: string; reason: string }[]>(app, 'GET', '/v2/account/webhook', { id });
    const off = await untilDefined(async () => {
      const [current] = await webhook();
      return current!.status === 'Off' ? current : undefined;
    });
    assert.match(off.reason, /410/);
    await emit(app, 'while off');
    receiver.respond = () => 200;
    const replayWhileOff = await request(app, 'POST', '/v2/account/webhook/delivery', {
      key: app.lab.customer.key,
      params: { id: (await deliveries(app))[0]!.id },
    });
    assert.equal(replayWhileOff.status, 409);
    await call(app, 'PUT', '/v2/account/webhook', { id, status: 'Active' });
    await emit(app, 'two');
    assert.deepEqual(namesOf(await receiver.accepted(1)), ['two']);
    assert.deepEqual(
      (await webhook()).map(({ status, reason }) => [status, reason]),
      [['Active', '']],
    );
    const log = await ended(app, 2);
    assert.match(log[1]!.error, /^responded with 410: no: x+$/);
    assert.ok(log[1]!.error.length < 250);
  });

  it('are sent to the new endpoint if it changes while the old one responds 410', async () => {
    await using former = await startReceiver();
    await using receiver = await startReceiver();
    await using app = await open([0.01]);
    const { id } = await register(app, former);
    former.respond = async () => {
      await call(app, 'PUT', '/v2/account/webhook', { id, url: receiver.url });
      return 410;
    };
    await emit(app, 'one');
    assert.deepEqual(namesOf(await receiver.accepted(1)), ['one']);
    const [webhook] = await call<{ status: string }[]>(app, 'GET', '/v2/account/webhook', { id });
    assert.equal(webhook!.status, 'Active');
  });

  for (const [name, delaysSeconds] of [
    ['fails', [3600]],
    ['fails for the last time', []],
  ] as const)
    it(`are sent to the new endpoint at once if it changes while the old one ${name}`, async () => {
      await using former = await startReceiver();
      await using receiver = await startReceiver();
      await using app = await open(delaysSeconds);
      const { id } = await register(app, former);
      former.respond = async () => {
        await call(app, 'PUT', '/v2/account/webhook', { id, url: receiver.url });
        return 500;
      };
      await emit(app, 'one');
      assert.deepEqual(namesOf(await receiver.accepted(1)), ['one']);
    });

  it('repeat a delivery on request, with the same id', async () => {
    await using receiver = await startReceiver();
    await using app = await open();
    await register(app, receiver);
    await emit(app, 'one', 1001);
    await receiver.accepted(1);
    const [first] = await ended(app, 1);
    const { id } = await call<{ id: string }>(app, 'POST', '/v2/account/webhook/delivery', { id: first!.id });
    const [original, again] = await receiver.accepted(2);
    assert.equal(again!.headers['webhook-id'], original!.headers['webhook-id']);
    const [replay] = await ended(app, 2);
    assert.deepEqual([replay!.id, replay!.replayof, replay!.service], [id, first!.id, '1001']);
    assert.deepEqual(
      (await deliveries(app, { limit: 1, before: id })).map((delivery) => delivery.id),
      [first!.id],
    );
  });

  it("are signed with both secrets during a rotation's overlap, and with the new one afterwards", async () => {
    await using receiver = await startReceiver();
    await using app = await open();
    const { id, secret } = await register(app, receiver);
    const rotated = await call<{ secret: string }>(app, 'PUT', '/v2/account/webhook', {
      id,
      rotate: true,
      overlap: 600,
    });
    assert.notEqual(rotated.secret, secret);
    const accepts = (secret: string, { body, headers }: { body: string; headers: object }): boolean => {
      // This app's clock runs ahead, and the library checks the time first.
      const now = { ...(headers as Record<string, string>) };
      const at = new Date(Number(now['webhook-timestamp']) * 1000);
      return now['webhook-signature']!.split(' ').includes(new Webhook(secret).sign(now['webhook-id']!, at, body));
    };
    await emit(app, 'during');
    const [during] = await receiver.accepted(1);
    assert.deepEqual([accepts(secret, during!), accepts(rotated.secret, during!)], [true, true]);
    new Webhook(secret).verify(during!.body, during!.headers as Record<string, string>);
    new Webhook(rotated.secret).verify(during!.body, during!.headers as Record<string, string>);
    app.pass(601_000);
    await emit(app, 'after');
    const [, later] = await receiver.accepted(2);
    assert.deepEqual([accepts(secret, later!), accepts(rotated.secret, later!)], [false, true]);
  });

  it('are rejected for internal addresses, with the reason, unless the operator allows them', async () => {
    await using app = await openTestApp(await newDatabase());
    const rejectedUrls: [url: string, reason: RegExp][] = [
      ['http://127.0.0.1/', /loopback/],
      ['http://0x7f000001/', /loopback/],
      ['http://[::ffff:10.0.0.1]/', /private/],
      ['https://localhost:8443/', /loopback/],
      ['http://169.254.169.254/latest/', /link-local/],
      ['ftp://example.com/', /http/],
      ['http://me:secret@198.51.100.7/', /password/],
    ];
    for (const [url, reason] of rejectedUrls) {
      const response = await request<{ result: { fields: Record<string, string> } }>(
        app,
        'POST',
        '/v2/account/webhook',
        {
          key: app.lab.customer.key,
          params: { url },
        },
      );
      assert.equal(response.status, 400, url);
      assert.match(response.body.result.fields['url'] ?? '', reason, url);
    }
    assert.deepEqual(await call(app, 'GET', '/v2/account/webhook'), []);
  });

  it('are checked again when connecting', async () => {
    await using receiver = await startReceiver();
    await using app = await open([0.01]);
    await register(app, receiver);
    await applySiteWithReport(app.parts, app.site, 'used');
    await emit(app, 'one');
    const [delivery] = await ended(app, 1);
    assert.deepEqual([delivery!.status, delivery!.answer], ['Failed', '']);
    assert.equal(delivery!.error, 'points to a loopback address, which is not allowed');
    assert.deepEqual(receiver.received, []);
  });

  it('are limited to twenty per account, belong to it alone, and are deleted with their log', async () => {
    await using receiver = await startReceiver();
    await using app = await open();
    const first = await register(app, receiver);
    for (let count = 1; count < 20; count++) await register(app, receiver, { events: ['contact.deleted'] });
    const params = { url: receiver.url };
    const tooMany = await request(app, 'POST', '/v2/account/webhook', { key: app.lab.customer.key, params });
    assert.equal(tooMany.status, 409);
    await emit(app, 'one');
    const [delivery] = await ended(app, 1);
    for (const [method, path, id] of [
      ['GET', '/v2/account/webhook', first.id],
      ['PUT', '/v2/account/webhook', first.id],
      ['DELETE', '/v2/account/webhook', first.id],
      ['POST', '/v2/account/webhook/delivery', delivery!.id],
    ] as const) {
      const change = method === 'PUT' ? { status: 'Off' } : {};
      const response = await request(app, method, path, { key: app.lab.stranger.key, params: { id, ...change } });
      assert.equal(response.status, 404, `${method} ${path}`);
    }
    await call(app, 'DELETE', '/v2/account/webhook', { id: first.id });
    assert.deepEqual(await deliveries(app), []);
  });

  it('are limited to twenty per account, however many are registered at once', async () => {
    await using receiver = await startReceiver();
    await using app = await open();
    const params = { url: receiver.url };
    const registering = Array.from({ length: 30 }, () =>
      request(app, 'POST', '/v2/account/webhook', { key: app.lab.customer.key, params }),
    );
    const statuses = (await Promise.all(registering)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 20);
    assert.equal(statuses.filter((status) => status === 409).length, 10);
  });
});
