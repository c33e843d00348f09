// Webhooks from both sides: the account that registers them, and the receiver that gets the events.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { applySite } from '#app/site/apply.ts';
import { applyTold } from '#app/site/report.ts';
import { webhookWorker } from '#app/events/webhook-delivery.ts';
import { eventAppend } from '#jobs/event-append.ts';
import type { AccountId } from '#store/tables.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

interface Delivery {
  id: string;
  webhook: string;
  event: string;
  service: string;
  status: string;
  attempts: string;
  answer: string;
  error: string;
  next: string;
  replayof: string;
}

async function call<Result>(yard: TestYard, method: string, path: string, params: object = {}): Promise<Result> {
  const answer = await request<{ result: Result }>(yard, method, path, {
    key: yard.lab.customer.key,
    params: params as Record<string, unknown>,
  });
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.result;
}
const register = (yard: TestYard, receiver: Receiver, more: object = {}) =>
  call<{ id: string; secret: string }>(yard, 'POST', '/v2/account/webhook', { url: receiver.url, ...more });
const deliveries = (yard: TestYard, params: object = {}) =>
  call<Delivery[]>(yard, 'GET', '/v2/account/webhook/delivery', params);

/** One event about a service of the customer, as the parts of Hostyard that act on devices tell it. */
async function tell(yard: TestYard, name: string, service?: number): Promise<void> {
  await yard.parts.store.transaction((queries) =>
    eventAppend(yard.parts, queries, {
      account: 1 as AccountId,
      type: 'key.revoked',
      ...(service === undefined ? {} : { service }),
      data: { keyid: '0', name },
    }),
  );
}
const namesOf = (received: readonly { event: { data: Record<string, unknown> } }[]) =>
  received.map(({ event }) => event.data['name']);

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(Date.now() < deadline, 'it did not come about');
    await sleep(20);
  }
}
const ended = (yard: TestYard, count: number) =>
  until(async () => {
    const all = await deliveries(yard);
    return all.length >= count && all.every(({ status }) => status !== 'Pending') ? all : undefined;
  });

for (const { engine, suite, start } of engines) {
  describe(`webhooks on ${engine}`, suite, () => {
    let database: Awaited<ReturnType<typeof start>>;
    before(async () => {
      database = await start();
    });
    after(() => database[Symbol.asyncDispose]());
    /** Loopback is opened by the operator, and a failed delivery is tried again soon. */
    const open = async (waitsSeconds?: readonly number[]): Promise<TestYard> => {
      const yard = await openTestYard(await database.newDatabase());
      await applySite(yard.parts, { ...yard.site, webhooks: { allow: ['127.0.0.0/8'] } });
      await yard.parts.jobs.start([webhookWorker(yard.parts, waitsSeconds)]);
      return yard;
    };

    it('carry an event to the receiver, whose library accepts the signature', async () => {
      await using receiver = await startReceiver();
      await using yard = await open();
      const { id, secret } = await register(yard, receiver, { events: ['key.created'], description: 'mine' });
      await call(yard, 'POST', '/v2/account/key', { name: 'one', scopes: ['account:read'] });
      await tell(yard, 'not asked for');
      const [received] = await receiver.accepted(1);
      const verified = new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>);
      assert.deepEqual(verified, received!.event);
      assert.equal(received!.event.type, 'key.created');
      assert.equal(received!.headers['webhook-id'], received!.event.id);
      assert.throws(() =>
        new Webhook(secret).verify(`${received!.body} `, received!.headers as Record<string, string>),
      );

      const [delivery] = await ended(yard, 1);
      assert.deepEqual(
        [delivery!.webhook, delivery!.event, delivery!.status, delivery!.attempts, delivery!.answer],
        [id, received!.event.id, 'Delivered', '1', '204'],
      );
      assert.equal(receiver.received.length, 1);
      const [shown] = await call<Record<string, unknown>[]>(yard, 'GET', '/v2/account/webhook', { id });
      assert.deepEqual(
        [shown!['url'], shown!['events'], shown!['status'], shown!['description']],
        [receiver.url, ['key.created'], 'Active', 'mine'],
      );
      assert.doesNotMatch(JSON.stringify(shown), /whsec/);
    });

    it('bring everything in order per service to a receiver that was away for a while', async () => {
      await using receiver = await startReceiver();
      await using yard = await open(Array.from({ length: 200 }, () => 0.05));
      await register(yard, receiver);
      let away = true;
      // Service 1002 never had trouble, so it need not wait for 1001.
      receiver.answer = ({ event }) => (away && event.service !== '1002' ? 503 : 200);
      const told: string[] = [];
      for (let index = 0; index < 10; index++) {
        for (const service of [undefined, 1001, 1002]) {
          told.push(`${service} ${index}`);
          await tell(yard, `${service} ${index}`, service);
        }
      }
      const quick = await until(async () => {
        const through = receiver.received.filter(({ event, status }) => event.service === '1002' && status === 200);
        return through.length === 10 ? through : undefined;
      });
      assert.deepEqual(
        namesOf(quick),
        told.filter((name) => name.startsWith('1002')),
      );
      away = false;
      const accepted = await receiver.accepted(30);
      for (const service of ['undefined', '1001', '1002']) {
        assert.deepEqual(
          namesOf(accepted).filter((name) => String(name).startsWith(service)),
          told.filter((name) => name.startsWith(service)),
        );
      }
      // Only the head of a lane was tried while the receiver was away.
      const refused = new Set(namesOf(receiver.received.filter(({ status }) => status === 503)));
      assert.deepEqual([...refused].toSorted(), ['1001 0', 'undefined 0']);
      assert.ok((await ended(yard, 30)).every(({ status }) => status === 'Delivered'));
    });

    it('give up on an event after the last attempt and go on with the next', async () => {
      await using receiver = await startReceiver();
      await using yard = await open([0.01, 0.01]);
      await register(yard, receiver);
      receiver.answer = ({ event }) => (event.data['name'] === 'bad' ? 302 : 200);
      await tell(yard, 'bad');
      await tell(yard, 'good');
      await receiver.accepted(1);
      const [good, bad] = await ended(yard, 2);
      assert.deepEqual([bad!.status, bad!.attempts, bad!.answer], ['Failed', '3', '302']);
      assert.deepEqual([good!.status, good!.attempts], ['Delivered', '1']);
      // Redirects are not followed.
      assert.ok(receiver.received.every(({ path }) => path === '/hook'));
    });

    it('are switched off by 410, say why, and go on where they were when switched on again', async () => {
      await using receiver = await startReceiver();
      await using yard = await open([0.01]);
      const { id } = await register(yard, receiver);
      receiver.answer = () => 410;
      await tell(yard, 'one');
      const webhook = () => call<{ status: string; reason: string }[]>(yard, 'GET', '/v2/account/webhook', { id });
      const off = await until(async () => {
        const [shown] = await webhook();
        return shown!.status === 'Off' ? shown : undefined;
      });
      assert.match(off.reason, /410/);
      await tell(yard, 'while off');
      receiver.answer = () => 200;
      const replayWhileOff = await request(yard, 'POST', '/v2/account/webhook/delivery', {
        key: yard.lab.customer.key,
        params: { id: (await deliveries(yard))[0]!.id },
      });
      assert.equal(replayWhileOff.status, 409);
      await call(yard, 'PUT', '/v2/account/webhook', { id, status: 'Active' });
      await tell(yard, 'two');
      assert.deepEqual(namesOf(await receiver.accepted(1)), ['two']);
      assert.deepEqual(
        (await webhook()).map(({ status, reason }) => [status, reason]),
        [['Active', '']],
      );
      const log = await ended(yard, 2);
      assert.match(log[1]!.error, /^answered 410: no: x+$/);
      assert.ok(log[1]!.error.length < 250);
    });

    it('repeat a delivery on request, under the same id', async () => {
      await using receiver = await startReceiver();
      await using yard = await open();
      await register(yard, receiver);
      await tell(yard, 'one', 1001);
      await receiver.accepted(1);
      const [first] = await ended(yard, 1);
      const { id } = await call<{ id: string }>(yard, 'POST', '/v2/account/webhook/delivery', { id: first!.id });
      const [one, again] = await receiver.accepted(2);
      assert.equal(again!.headers['webhook-id'], one!.headers['webhook-id']);
      const [replay] = await ended(yard, 2);
      assert.deepEqual([replay!.id, replay!.replayof, replay!.service], [id, first!.id, '1001']);
      assert.deepEqual(
        (await deliveries(yard, { limit: 1, before: id })).map((delivery) => delivery.id),
        [first!.id],
      );
    });

    it('are signed with both secrets while a rotation overlaps, and with the new one after', async () => {
      await using receiver = await startReceiver();
      await using yard = await open();
      const { id, secret } = await register(yard, receiver);
      const rotated = await call<{ secret: string }>(yard, 'PUT', '/v2/account/webhook', {
        id,
        rotate: true,
        overlap: 600,
      });
      assert.notEqual(rotated.secret, secret);
      const accepts = (one: string, { body, headers }: { body: string; headers: object }): boolean => {
        // The clock of this yard runs ahead, and the library looks at the time first.
        const now = { ...(headers as Record<string, string>) };
        const at = new Date(Number(now['webhook-timestamp']) * 1000);
        return now['webhook-signature']!.split(' ').includes(new Webhook(one).sign(now['webhook-id']!, at, body));
      };
      await tell(yard, 'during');
      const [during] = await receiver.accepted(1);
      assert.deepEqual([accepts(secret, during!), accepts(rotated.secret, during!)], [true, true]);
      new Webhook(secret).verify(during!.body, during!.headers as Record<string, string>);
      new Webhook(rotated.secret).verify(during!.body, during!.headers as Record<string, string>);
      yard.pass(601_000);
      await tell(yard, 'after');
      const [, later] = await receiver.accepted(2);
      assert.deepEqual([accepts(secret, later!), accepts(rotated.secret, later!)], [false, true]);
    });

    it('are refused for addresses that are not for customers, with the reason, unless the operator opens them', async () => {
      await using yard = await openTestYard(await database.newDatabase());
      const refused: [url: string, reason: RegExp][] = [
        ['http://127.0.0.1/', /loopback/],
        ['http://0x7f000001/', /loopback/],
        ['http://[::ffff:10.0.0.1]/', /private/],
        ['https://localhost:8443/', /loopback/],
        ['http://169.254.169.254/latest/', /link-local/],
        ['ftp://example.com/', /http/],
        ['http://me:secret@198.51.100.7/', /password/],
      ];
      for (const [url, reason] of refused) {
        const answer = await request<{ result: { fields: Record<string, string> } }>(
          yard,
          'POST',
          '/v2/account/webhook',
          {
            key: yard.lab.customer.key,
            params: { url },
          },
        );
        assert.equal(answer.status, 400, url);
        assert.match(answer.body.result.fields['url'] ?? '', reason, url);
      }
      assert.deepEqual(await call(yard, 'GET', '/v2/account/webhook'), []);
    });

    it('are checked again when they are dialled', async () => {
      await using receiver = await startReceiver();
      await using yard = await open([0.01]);
      await register(yard, receiver);
      await applyTold(yard.parts, yard.site, 'used');
      await tell(yard, 'one');
      const [delivery] = await ended(yard, 1);
      assert.deepEqual([delivery!.status, delivery!.answer], ['Failed', '']);
      assert.equal(delivery!.error, 'leads to a loopback address, which is refused');
      assert.deepEqual(receiver.received, []);
    });

    it('are at most twenty an account, belong to it alone, and go with their log', async () => {
      await using receiver = await startReceiver();
      await using yard = await open();
      const first = await register(yard, receiver);
      for (let count = 1; count < 20; count++) await register(yard, receiver, { events: ['contact.deleted'] });
      const params = { url: receiver.url };
      const tooMany = await request(yard, 'POST', '/v2/account/webhook', { key: yard.lab.customer.key, params });
      assert.equal(tooMany.status, 409);
      await tell(yard, 'one');
      const [delivery] = await ended(yard, 1);
      for (const [method, path, id] of [
        ['GET', '/v2/account/webhook', first.id],
        ['PUT', '/v2/account/webhook', first.id],
        ['DELETE', '/v2/account/webhook', first.id],
        ['POST', '/v2/account/webhook/delivery', delivery!.id],
      ] as const) {
        const change = method === 'PUT' ? { status: 'Off' } : {};
        const answer = await request(yard, method, path, { key: yard.lab.stranger.key, params: { id, ...change } });
        assert.equal(answer.status, 404, `${method} ${path}`);
      }
      await call(yard, 'DELETE', '/v2/account/webhook', { id: first.id });
      assert.deepEqual(await deliveries(yard), []);
    });
  });
}
