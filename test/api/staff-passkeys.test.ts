// Passkeys of staff: they are a second factor, and enough to sign in with. The rules are those of customers; these tests
// are about what differs.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { TestApp } from '#test/support/app.ts';
import { createAuthenticator, type CreationOptions, type RequestOptions } from '#test/support/authenticator.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { asOperator, codeOf, createOperator, operatorResult, uniqueAddress } from '#test/support/operators.ts';
import { request, type Envelope, type ErrorResult } from '#test/support/request.ts';

const panel = 'https://panel.example.net';

interface OperatorSession {
  readonly key: string;
  readonly name: string;
  readonly secondfactor: string;
}

describeOnEngines('passkeys of staff', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));

  async function send<Result>(method: string, path: string, params: Record<string, unknown> = {}, key?: string) {
    const headers = { ...uniqueAddress(), origin: panel, 'x-forwarded-host': 'panel.example.net' };
    const options = { headers, params, ...(key === undefined ? {} : { key }) };
    const { status, body } = await request<Envelope<Result & ErrorResult>>(app, method, path, options);
    const { code } = body.result;
    return { outcome: code === undefined ? String(status) : `${status} ${code}`, result: body.result };
  }
  async function done<Result>(...call: Parameters<typeof send>): Promise<Result> {
    const { outcome, result } = await send<Result>(...call);
    assert.equal(outcome, '200', `${call[0]} ${call[1]}: ${JSON.stringify(result)}`);
    return result;
  }
  const outcomeOf = async (...call: Parameters<typeof send>) => (await send(...call)).outcome;

  /** An operator who has set up nothing yet. */
  async function newOperator() {
    const operator = await createOperator(app, 'engineer');
    const { key } = await operatorResult<OperatorSession>(app, 'POST', 'session', {
      name: operator.name,
      password: operator.password,
    });
    return { ...operator, key };
  }
  const addPasskey = async (key: string, proof: Record<string, unknown>, device = createAuthenticator(panel)) => {
    const options = await done<CreationOptions>('POST', '/operator/session/passkey', proof, key);
    const passkey = { name: 'Phone', credential: device.create(options) };
    const { id } = await done<{ id: string }>('PUT', '/operator/session/passkey', passkey, key);
    return { id, device };
  };
  const answer = async (device: ReturnType<typeof createAuthenticator>) =>
    device.get(await done<RequestOptions>('POST', '/operator/session/challenge'));
  const passkeySignIn = async (device: ReturnType<typeof createAuthenticator>) =>
    send<OperatorSession>('PUT', '/operator/session/challenge', { credential: await answer(device) });
  const permissionsOf = async (key: string) =>
    (await done<{ powers: string[] }>('GET', '/operator/session', {}, key)).powers;

  test('need the password, give the session its permissions, and then sign in alone', async () => {
    const { name, password, key } = await newOperator();
    assert.deepEqual(await permissionsOf(key), []);
    assert.equal(await outcomeOf('POST', '/operator/session/passkey', {}, key), '400 invalid_parameter');
    assert.equal(
      await outcomeOf('POST', '/operator/session/passkey', { password: 'wrong' }, key),
      '409 state_conflict',
    );
    const { device } = await addPasskey(key, { password });
    assert.ok((await permissionsOf(key)).includes('operator:equipment'));
    const { outcome, result } = await passkeySignIn(device);
    assert.deepEqual([outcome, result.name, result.secondfactor], ['200', name, 'Confirmed']);
    assert.ok((await permissionsOf(result.key)).includes('operator:equipment'));
    const self = await done<Record<string, string>>('GET', '/operator/session', {}, result.key);
    assert.deepEqual([self['totp'], self['passkeys']], ['None', '1']);
    const everyone = await operatorResult<{ name: string; secondfactor: string }[]>(app, 'GET', 'operator');
    assert.equal(everyone.find((operator) => operator.name === name)?.secondfactor, 'Confirmed');
  });

  test('make the password alone worthless', async () => {
    const { name, password, key } = await newOperator();
    await addPasskey(key, { password });
    const { status } = await asOperator(app, 'POST', 'session', { name, password });
    assert.equal(status, 401);
  });

  test('prove who it is, next to a code', async () => {
    const { password, key } = await newOperator();
    const { device, id } = await addPasskey(key, { password });
    const enrolment = { passkey: await answer(device) };
    const { secret } = await done<{ secret: string }>('POST', '/operator/totp', enrolment, key);
    await done('PUT', '/operator/totp', { code: codeOf(app, secret) }, key);
    const second = await addPasskey(key, { code: codeOf(app, secret, 1) });
    await done(
      'DELETE',
      '/operator/session/passkey',
      { id, passkey: JSON.stringify(await answer(second.device)) },
      key,
    );
    const left = await done<{ id: string }[]>('GET', '/operator/session/passkey', {}, key);
    assert.deepEqual(
      left.map((passkey) => passkey.id),
      [second.id],
    );
  });

  test('cannot be removed if they are the only second factor', async () => {
    const { password, key } = await newOperator();
    const { id } = await addPasskey(key, { password });
    assert.equal(await outcomeOf('DELETE', '/operator/session/passkey', { id, password }, key), '409 state_conflict');
    await addPasskey(key, { password });
    await done('DELETE', '/operator/session/passkey', { id, password }, key);
  });

  test('do not sign in customers, nor those of customers staff', async () => {
    const { password, key } = await newOperator();
    const { device } = await addPasskey(key, { password });
    const credential = await answer(device);
    assert.equal(await outcomeOf('PUT', '/v2/session/challenge', { credential }), '401 unauthenticated');
    const { email, password: customersPassword } = app.lab.customer;
    const customer = await done<{ key: string }>('POST', '/v2/session', { email, password: customersPassword });
    const phone = createAuthenticator(panel);
    const proof = { password: customersPassword };
    const options = await done<CreationOptions>('POST', '/v2/session/passkey', proof, customer.key);
    const passkey = { name: 'Phone', credential: phone.create(options) };
    await done('PUT', '/v2/session/passkey', passkey, customer.key);
    assert.equal((await passkeySignIn(phone)).outcome, '401 unauthenticated');
  });

  test('belong to one operator: a challenge and a proof of another are rejected', async () => {
    const [ada, bob] = [await newOperator(), await newOperator()];
    const device = createAuthenticator(panel);
    const options = await done<CreationOptions>(
      'POST',
      '/operator/session/passkey',
      { password: ada.password },
      ada.key,
    );
    const credential = device.create(options);
    const path = '/operator/session/passkey';
    assert.equal(await outcomeOf('PUT', path, { name: 'Stolen', credential }, bob.key), '409 state_conflict');
    const { id, device: own } = await addPasskey(ada.key, { password: ada.password });
    const removal = { id, password: bob.password };
    assert.equal(await outcomeOf('DELETE', path, removal, bob.key), '404 not_found');
    assert.equal(await outcomeOf('POST', path, { passkey: await answer(own) }, bob.key), '409 state_conflict');
  });

  test('are removed by an owner for someone who lost their device, and end with their access', async () => {
    const { id, name, password, key } = await newOperator();
    const { device } = await addPasskey(key, { password });
    await operatorResult(app, 'PUT', 'operator', { id, forgettotp: true });
    assert.equal((await passkeySignIn(device)).outcome, '401 unauthenticated');
    const again = await operatorResult<OperatorSession>(app, 'POST', 'session', { name, password });
    assert.equal(again.secondfactor, 'Missing');
    const { device: next } = await addPasskey(again.key, { password });
    await operatorResult(app, 'DELETE', 'operator', { id });
    assert.equal((await passkeySignIn(next)).outcome, '401 unauthenticated');
  });
});
