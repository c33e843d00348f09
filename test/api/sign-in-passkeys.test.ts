// How customers sign in with passkeys, which belong to the pages of one host.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import type { Session } from '#sdk/v2.ts';
import type { TestApp } from '#test/support/app.ts';
import {
  createAuthenticator,
  type CreationOptions,
  type Forgery,
  type RequestOptions,
} from '#test/support/authenticator.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { uniqueAddress } from '#test/support/operators.ts';
import { request, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { firstPassword, signInCalls, type Person } from '#test/support/sign-in-calls.ts';

const panel = 'https://panel.example.net';

describeOnEngines('signing in', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));
  const { done, rejection, newPerson, newcomer, signIn, self, enableTotp } = signInCalls(() => app);

  /** Headers of a page of this origin, at the panel's host if omitted. */
  const fromPage = (origin: string, host = 'panel.example.net'): Record<string, string> => ({
    ...uniqueAddress(),
    origin,
    'x-forwarded-host': host,
  });
  async function page<Result>(
    method: string,
    path: string,
    params: Record<string, unknown> = {},
    { key, headers = fromPage(panel) }: { key?: string; headers?: Record<string, string> } = {},
  ) {
    const options = { params, headers, ...(key === undefined ? {} : { key }) };
    const { status, body } = await request<Envelope<Result & ErrorResult>>(app, method, path, options);
    return { outcome: `${status} ${body.result.code ?? ''}`.trim(), result: body.result };
  }
  const challenge = async () => (await page<RequestOptions>('POST', '/v2/session/challenge')).result;
  const signInWithPasskey = (credential: unknown, headers = fromPage(panel)) =>
    page<Session>('PUT', '/v2/session/challenge', { credential }, { headers });
  const passkeyOutcome = async (credential: unknown, headers?: Record<string, string>) =>
    (await signInWithPasskey(credential, headers)).outcome;
  const begin = async (key: string) =>
    (await page<CreationOptions>('POST', '/v2/session/passkey', { password: firstPassword }, { key })).result;
  const finish = (key: string, credential: unknown, headers = fromPage(panel)) =>
    page<{ id: string }>('PUT', '/v2/session/passkey', { name: 'Laptop', credential }, { key, headers });
  let sharedPerson: ReturnType<typeof newcomer> | undefined;
  /** A signed-in person with a passkey; shared where it does not matter who, because hashing passwords takes time. */
  async function withPasskey({ device = createAuthenticator(panel), whose = (sharedPerson ??= newcomer()) } = {}) {
    const person = await whose;
    const passkey = await finish(person.key, device.create(await begin(person.key)));
    assert.equal(passkey.outcome, '200');
    return { ...person, device, id: passkey.result.id };
  }

  test('with a passkey needs neither address nor password nor code', async () => {
    const { key, password, contact, device, id } = await withPasskey({ whose: newcomer() });
    await enableTotp(key);
    const listPasskeys = () =>
      done<{ id: string; name: string; lastused: string }[]>('GET', '/v2/session/passkey', {}, key);
    assert.deepEqual(
      (await listPasskeys()).map(({ name, lastused }) => [name, lastused]),
      [['Laptop', '']],
    );
    const { outcome, result } = await signInWithPasskey(device.get(await challenge()));
    assert.deepEqual([outcome, result.contact, result.scopes], ['200', contact, ['account:read']]);
    assert.deepEqual([(await self(result.key)).passkeys, (await self(result.key)).kind], ['1', 'session']);
    assert.match((await listPasskeys())[0]!.lastused, /^\d{4}-/);
    const audit = await done<{ operation: string; contact: string }[]>(
      'GET',
      '/v2/account/audit',
      {},
      app.lab.customer.key,
    );
    assert.ok(audit.some((entry) => entry.operation === 'v2.challengeAnswer' && entry.contact === contact));
    const stranger = await withPasskey();
    assert.equal(await rejection('DELETE', '/v2/session/passkey', { id, password }, stranger.key), '404 not_found');
    await done('DELETE', '/v2/session/passkey', { id, password }, key);
    assert.equal(await passkeyOutcome(device.get(await challenge())), '401 unauthenticated');
  });

  test('with a passkey is rejected if any part of the response is forged', async () => {
    const { device } = await withPasskey();
    const falsified: Forgery[] = [
      { origin: 'https://evil.example' },
      { origin: 'https://sub.panel.example.net' },
      { rpId: 'evil.example' },
      { userVerified: false },
      { userHandle: 'c29tZWJvZHkgZWxzZQ' },
      { signature: randomBytes(70) },
    ];
    for (const forgery of falsified)
      assert.equal(
        await passkeyOutcome(device.get(await challenge(), forgery)),
        '401 unauthenticated',
        JSON.stringify(forgery),
      );
    const options = await challenge();
    const signed = device.get(options);
    for (const response of [
      { clientDataJSON: 'bm90IGpzb24' },
      { clientDataJSON: 'bnVsbA' },
      { authenticatorData: 'AAAA' },
    ])
      assert.equal(
        await passkeyOutcome({ ...signed, response: { ...signed.response, ...response } }),
        '401 unauthenticated',
      );
    assert.equal(
      await passkeyOutcome({ ...device.get(await challenge()), id: 'AAAA', rawId: 'AAAA' }),
      '401 unauthenticated',
    );
    assert.equal(await passkeyOutcome(device.get(await challenge())), '200');
  });

  test('with a passkey accepts each challenge once within five minutes, also if the first response was wrong', async () => {
    const { device, key } = await withPasskey();
    const used = await challenge();
    assert.equal(await passkeyOutcome(device.get(used)), '200');
    assert.equal(await passkeyOutcome(device.get(used)), '401 unauthenticated');
    const spoilt = await challenge();
    assert.equal(await passkeyOutcome(device.get(spoilt, { userVerified: false })), '401 unauthenticated');
    assert.equal(await passkeyOutcome(device.get(spoilt)), '401 unauthenticated');
    // A challenge for creating a passkey signs nobody in, and vice versa.
    const { challenge: forMaking, rp, user } = await begin(key);
    assert.equal(await passkeyOutcome(device.get({ challenge: forMaking, rpId: rp.id })), '401 unauthenticated');
    const forSigningIn = { challenge: (await challenge()).challenge, rp, user };
    assert.equal((await finish(key, device.create(forSigningIn))).outcome, '409 state_conflict');
    const late = await challenge();
    app.pass(5 * 60_000);
    assert.equal(await passkeyOutcome(device.get(late)), '401 unauthenticated');
  });

  test('with a passkey is possible with twenty of them, however many were begun before', async () => {
    const { key } = await newcomer();
    const begun = [];
    for (let count = 0; count < 22; count++) begun.push(await begin(key));
    const outcomes = await Promise.all(
      begun.map(async (options) => (await finish(key, createAuthenticator(panel).create(options))).outcome),
    );
    assert.deepEqual(outcomes.toSorted(), [
      ...Array<string>(20).fill('200'),
      ...Array<string>(2).fill('409 state_conflict'),
    ]);
    assert.equal((await self(key)).passkeys, '20');
  });

  test("with a counting passkey rejects one whose counter decreases, like a copy's", async () => {
    const { device } = await withPasskey();
    assert.equal(await passkeyOutcome(device.get(await challenge(), { count: 7 })), '200');
    for (const count of [7, 6, 0])
      assert.equal(
        await passkeyOutcome(device.get(await challenge(), { count })),
        '401 unauthenticated',
        String(count),
      );
    assert.equal(await passkeyOutcome(device.get(await challenge(), { count: 8 })), '200');
    const synced = await withPasskey({ device: createAuthenticator(panel, { counts: false }) });
    for (const _ of [1, 2]) assert.equal(await passkeyOutcome(synced.device.get(await challenge())), '200');
  });

  test('creates and accepts passkeys only for pages of the called host', async () => {
    const { key, device } = await withPasskey();
    const pages: Record<string, string>[] = [
      uniqueAddress(),
      fromPage('https://evil.example'),
      fromPage('https://panel.example.net:8443'),
      fromPage('http://panel.example.net'),
      fromPage('https://192.0.2.1', '192.0.2.1'),
      fromPage('null'),
    ];
    for (const headers of pages) {
      const tries = await Promise.all([
        page('POST', '/v2/session/challenge', {}, { headers }),
        page('POST', '/v2/session/passkey', { password: firstPassword }, { key, headers }),
        signInWithPasskey(device.get(await challenge()), headers),
      ]);
      for (const { outcome } of tries) assert.equal(outcome, '409 state_conflict', JSON.stringify(headers));
    }
    // A caller with another host name cannot use this host's passkey.
    const other = fromPage('https://other.example', 'other.example');
    const relayed = device.get(await challenge(), { origin: 'https://other.example', rpId: 'other.example' });
    assert.equal(await passkeyOutcome(relayed, other), '401 unauthenticated');
    const local = fromPage('http://localhost:8080', 'localhost:8080');
    assert.equal((await page('POST', '/v2/session/challenge', {}, { headers: local })).outcome, '200');
  });

  test('stores no passkey that was created wrongly, for someone else, or twice', async () => {
    const { key, device } = await withPasskey({ whose: newcomer() });
    const wrong: Forgery[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { userVerified: false },
      { format: 'apple' },
      { format: 'unheard-of' },
    ];
    for (const forgery of wrong)
      assert.equal(
        (await finish(key, device.create(await begin(key), forgery))).outcome,
        '409 state_conflict',
        JSON.stringify(forgery),
      );
    const { key: other } = await withPasskey();
    assert.equal((await finish(other, device.create(await begin(key)))).outcome, '409 state_conflict');
    const credential = device.create(await begin(key));
    assert.equal((await finish(key, credential)).outcome, '200');
    assert.equal((await finish(key, credential)).outcome, '409 state_conflict');
    assert.equal((await self(key)).passkeys, '2');
    assert.equal((await finish(app.lab.customer.key, credential)).outcome, '409 state_conflict');
  });

  test('needs only the password again after an authorised person has reset the second factors', async () => {
    const { key: owner } = await signIn(app.lab.customer);
    const { device, key, ...person } = await withPasskey({ whose: newcomer() });
    await enableTotp(key);
    const forgetBy = ({ password }: Pick<Person, 'password'>) => ({
      id: person.contact,
      forgetfactors: true,
      password,
    });
    const colleague = await newPerson({ permissions: ['account:keys'] });
    const settings = '/v2/account/contact/settings';
    assert.equal(
      await rejection('PUT', settings, forgetBy(colleague), (await signIn(colleague)).key),
      '403 scope_missing',
    );
    await done('PUT', settings, { id: person.contact, permissions: ['account:read', 'account:keys'] }, owner);
    assert.equal(await rejection('PUT', settings, forgetBy(person), key), '409 state_conflict');
    assert.equal((await self(key)).totp, 'Confirmed');
    await done('PUT', settings, forgetBy(app.lab.customer), owner);
    assert.equal(await rejection('GET', '/v2/session', {}, key), '401 unauthenticated');
    assert.equal(await passkeyOutcome(device.get(await challenge())), '401 unauthenticated');
    const { totp, passkeys } = await self((await signIn(person)).key);
    assert.deepEqual([totp, passkeys], ['None', '0']);
  });

  test('with a passkey ends when the person may no longer sign in', async () => {
    const { device, contact } = await withPasskey({ whose: newcomer() });
    const settings = { id: contact, subaccount: false };
    await done('PUT', '/v2/account/contact/settings', settings, app.lab.customer.key);
    assert.equal(await passkeyOutcome(device.get(await challenge())), '401 unauthenticated');
    await done('DELETE', '/v2/account/contact', { id: contact }, app.lab.customer.key);
    assert.equal(await passkeyOutcome(device.get(await challenge())), '401 unauthenticated');
  });
});
