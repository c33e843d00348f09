// Failed sign-ins slow down whoever makes them, by name and network, without locking out the person whose name it is.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import type { AuditEntry } from '#sdk/v2.ts';
import type { AccountId } from '#store/account-id.ts';
import { auditVerify } from '#store/account/audit.ts';
import { createOperator, operatorResult } from '#test/support/operators.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { firstPassword as password, signInCalls } from '#test/support/sign-in-calls.ts';
import { until } from '#test/support/until.ts';

let networks = 0;
/** Another network for every call. */
const newNetwork = () => `2001:db8:${(++networks).toString(16)}::1`;

describeOnEngines('failed sign-ins', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));

  const { newPerson } = signInCalls(() => app);
  const statusOf = async (email: string, attempt: string, from: string) => {
    const { status, headers } = await request(app, 'POST', '/v2/session', {
      params: { email, password: attempt },
      headers: { 'x-forwarded-for': from },
    });
    if (status === 429) assert.ok(Number(headers.get('retry-after')) >= 1);
    return status;
  };
  async function fail(email: string, times: number, from: () => string): Promise<number[]> {
    const statuses = [];
    for (let attempt = 0; attempt < times; attempt++) statuses.push(await statusOf(email, 'wrong', from()));
    return statuses;
  }

  test('from one IPv6 network count together, in every form of its addresses', async () => {
    const { email } = await newPerson();
    const forms = [
      '2001:db8:aaaa::1',
      '2001:db8:aaaa:0:1::',
      '2001:DB8:AAAA:0:0:0:0:2',
      '2001:db8:aaaa::ffff:1',
      '2001:db8:aaaa::5',
    ];
    assert.deepEqual(await fail(email, 5, () => forms.pop()!), [401, 401, 401, 401, 401]);
    assert.equal(await statusOf(email, password, '2001:db8:aaaa::6'), 429);
    assert.equal(await statusOf(email, password, '2001:db8:aaaa:1::6'), 200);
  });

  test('do not keep the person out who signs in from another network', async () => {
    const { email } = await newPerson();
    const attacker = newNetwork();
    assert.ok((await fail(email, 8, () => attacker)).includes(429));
    assert.equal(await statusOf(email, password, newNetwork()), 200);
  });

  test('from many networks slow each other down, but not a network where the person has signed in before', async () => {
    const { email } = await newPerson();
    const home = newNetwork();
    assert.equal(await statusOf(email, password, home), 200);
    const statuses = await fail(email, 25, newNetwork);
    assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
    assert.equal(await statusOf(email, password, newNetwork()), 429);
    assert.equal(await statusOf(email, password, home), 200);
    // Nobody is locked out for good: the bucket refills.
    app.pass(31_000);
    assert.equal(await statusOf(email, password, newNetwork()), 200);
  });

  test('are not forgotten because somebody with the same address succeeds', async () => {
    const { email } = await newPerson();
    await newPerson({ email, password: 'of the attacker', key: app.lab.stranger.key });
    const attacker = newNetwork();
    assert.deepEqual(await fail(email, 4, () => attacker), [401, 401, 401, 401]);
    assert.equal(await statusOf(email, 'of the attacker', attacker), 200);
    assert.deepEqual(await fail(email, 2, () => attacker), [401, 429]);
  });

  test('of operators follow the same rules', async () => {
    const { name, password: right } = await createOperator(app, 'support');
    const attempt = async (tried: string, from: string) => {
      const params = { name, password: tried };
      return (await request(app, 'POST', '/operator/session', { params, headers: { 'x-forwarded-for': from } })).status;
    };
    const home = newNetwork();
    assert.equal(await attempt(right, home), 200);
    for (let count = 0; count < 5; count++) assert.equal(await attempt('wrong', '2001:db8:bbbb::1'), 401);
    assert.equal(await attempt(right, '2001:db8:bbbb::2'), 429);
    for (let count = 0; count < 25; count++) await attempt('wrong', newNetwork());
    assert.equal(await attempt(right, newNetwork()), 429);
    assert.equal(await attempt(right, home), 200);
  });

  test('are in the audit log of the person, merged by network and limited, and the log stays intact', async () => {
    const { email, contact } = await newPerson();
    const attacker = newNetwork();
    const { key } = app.lab.customer;
    const attempts = async () => {
      const params = { limit: 1000 };
      const log = await requestResult<AuditEntry[]>(app, 'GET', '/v2/account/audit', { key, params });
      return log.filter((entry) => entry.outcome === 'unauthenticated' && entry.contact === contact);
    };
    assert.deepEqual(await fail(email, 5, () => attacker), [401, 401, 401, 401, 401]);
    await until(async () => (await attempts()).length === 3);
    assert.deepEqual(
      (await attempts()).map(({ operation, address, target }) => [operation, address, target]),
      ['attempts=4', 'attempts=2', ''].map((target) => ['v2.sessionCreate', attacker, target]),
    );
    await fail(email, 40, newNetwork);
    await until(async () => (await attempts()).length >= 17);
    assert.ok((await attempts()).length <= 20, 'an attacker from many networks fills no log');
    assert.equal(await statusOf('unknown@example.com', 'wrong', newNetwork()), 401);
    assert.equal(await auditVerify(app.parts.store.queries, Number(app.lab.customer.account) as AccountId), undefined);

    const { name } = await createOperator(app, 'support');
    const params = { name, password: 'wrong' };
    await request(app, 'POST', '/operator/session', { params, headers: { 'x-forwarded-for': attacker } });
    const ofStaff = () => operatorResult<AuditEntry[]>(app, 'GET', 'audit', { operator: name });
    await until(async () => (await ofStaff()).some(({ outcome }) => outcome === 'unauthenticated'));
  });

  test('of visitors share the rate limit of their /64', async () => {
    const params = { email: 'nobody@example.com', password: 'wrong' };
    const statuses = new Set<number>();
    for (let host = 1; host <= 25; host++) {
      const headers = { 'x-forwarded-for': `2001:db8:cccc::${host}` };
      const { status, headers: received } = await request(app, 'PUT', '/v2/session/challenge', { params, headers });
      statuses.add(status);
      if (status === 429) assert.ok(Number(received.get('retry-after')) >= 1);
    }
    assert.deepEqual([...statuses].toSorted(), [400, 429]);
  });

  test('of a flood from one network are rejected in the documented shape, and another network gets its turn', async () => {
    const flooding = { 'x-forwarded-for': newNetwork() };
    const flood = Array.from({ length: 20 }, (_, number) =>
      request<Envelope<ErrorResult>>(app, 'POST', '/v2/session', {
        params: { email: `flood${number}@example.com`, password: 'wrong' },
        headers: flooding,
      }),
    );
    const { email } = await newPerson();
    assert.equal(await statusOf(email, password, newNetwork()), 200);
    const responses = await Promise.all(flood);
    assert.deepEqual([...new Set(responses.map(({ status }) => status))].toSorted(), [401, 429]);
    for (const { status, headers, body } of responses) {
      if (status !== 429) continue;
      assert.equal(body.result.code, 'rate_limited');
      assert.match(body.result.message, /Try again shortly/);
      assert.ok(Number(headers.get('retry-after')) >= 1);
    }
  });
});
