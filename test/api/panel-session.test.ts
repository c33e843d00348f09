// The panel's session in a cookie: what the server sets, and what it accepts. test/panel/session.test.ts shows the same
// in a browser.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Session } from '#sdk/v2.ts';
import type { OperatorSession } from '#sdk/operator.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { upgradeStatus } from '#test/support/console.ts';
import { codeOf, signInOperator } from '#test/support/operators.ts';
import { request, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

interface CookieSession {
  /** As the browser sends it back. */
  readonly cookie: string;
  readonly token: string;
  /** As the server sets it. */
  readonly setCookie: string;
  readonly body: string;
}

describe('a session in a cookie', () => {
  const owned = suiteResources();
  let app: TestApp;
  before(async () => void (app = owned.use(await openTestApp({ trustedProxies: ['127.0.0.1'] }))));

  const send = (method: string, path: string, headers: Record<string, string>, params?: Record<string, unknown>) =>
    request<Envelope<Session & OperatorSession & ErrorResult>>(app, method, path, {
      headers,
      ...(params && { params }),
    });
  async function openCookieSession(path: string, credentials: Record<string, string>): Promise<CookieSession> {
    const { status, headers, body } = await send('POST', path, {}, { ...credentials, cookie: true });
    assert.equal(status, 200, JSON.stringify(body));
    const setCookie = headers.get('set-cookie') ?? '';
    return { cookie: setCookie.split(';')[0]!, token: body.result.csrf!, setCookie, body: JSON.stringify(body) };
  }
  const customer = () => {
    const { email, password } = app.lab.customer;
    return openCookieSession('/v2/session', { email, password });
  };
  const headersOf = ({ cookie, token }: CookieSession, others: Record<string, string> = {}) => ({
    cookie,
    'x-csrf-token': token,
    ...others,
  });
  const statusOf = async (headers: Record<string, string>, path = '/v2/session', method = 'GET'): Promise<number> =>
    (await send(method, path, headers)).status;

  it('is opened on request, and its key is only in the cookie', async () => {
    const { setCookie, body, token } = await customer();
    assert.match(
      setCookie,
      /^__Host-hostyard-customer=hy_\w+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    assert.doesNotMatch(body, /hy_/);
    assert.match(token, /^[\w-]{43}$/);
  });

  it('is not opened for programs, which get a key', async () => {
    const { email, password } = app.lab.customer;
    const { headers, body } = await send('POST', '/v2/session', {}, { email, password });
    assert.equal(headers.get('set-cookie'), null);
    assert.match(body.result.key, /^hy_/);
    assert.equal(body.result.csrf, undefined);
  });

  it('works in the APIs that the panel uses, with its own token only', async () => {
    const [session, other] = [await customer(), await customer()];
    for (const path of ['/v2/session', '/v2/device/list', '/billing/balance']) {
      assert.notEqual(await statusOf(headersOf(session), path), 401, path);
      assert.equal(await statusOf({ cookie: session.cookie }, path), 401, path);
      assert.equal(await statusOf({ cookie: session.cookie, 'x-csrf-token': '' }, path), 401, path);
      assert.equal(await statusOf({ cookie: session.cookie, 'x-csrf-token': other.token }, path), 401, path);
      assert.equal(await statusOf({ 'x-csrf-token': session.token }, path), 401, path);
    }
  });

  it('is not accepted where only DNS tools call, which have keys', async () => {
    const zones = '/api/v1/servers/localhost/zones';
    assert.equal(await statusOf(headersOf(await customer()), zones), 401);
    assert.equal(await statusOf({ 'x-api-key': app.lab.customer.key }, zones), 200);
  });

  it('is not accepted from other sites, even with its token', async () => {
    const session = await customer();
    const { host } = new URL(app.url);
    const own = [{ 'sec-fetch-site': 'same-origin' }, { origin: app.url }, {}];
    for (const headers of own) assert.equal(await statusOf(headersOf(session, headers)), 200, JSON.stringify(headers));
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'null' },
      { origin: 'https://attacker.example' },
      { origin: `http://attacker.example:${new URL(app.url).port}`, 'x-forwarded-host': host },
    ];
    for (const headers of foreign)
      assert.equal(await statusOf(headersOf(session, headers)), 401, JSON.stringify(headers));
  });

  it('cannot be forced on somebody by another site', async () => {
    const { email, password } = app.lab.customer;
    for (const headers of [{ origin: 'https://attacker.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const response = await request<Envelope<ErrorResult>>(app, 'POST', '/v2/session', {
        form: { email, password, cookie: 'true' },
        headers,
      });
      assert.equal(response.status, 400);
      assert.deepEqual(Object.keys(response.body.result.fields), ['cookie']);
      assert.equal(response.headers.get('set-cookie'), null);
    }
  });

  it('of staff is another cookie, and both can be sent at once', async () => {
    const { name, password, secret } = await signInOperator(app, 'owner');
    const staff = await openCookieSession('/operator/session', { name, password, code: codeOf(app, secret, 1) });
    assert.match(staff.setCookie, /^__Host-hostyard-staff=hy_/);
    const session = await customer();
    const cookie = `theme=dark; ${session.cookie}; ${staff.cookie}`;
    const asStaff = { cookie, 'x-csrf-token': staff.token };
    const asCustomer = { cookie, 'x-csrf-token': session.token };
    assert.equal(await statusOf(asStaff, '/operator/session'), 200);
    assert.equal(await statusOf(asCustomer), 200);
    assert.equal(await statusOf(asStaff), 401);
    assert.equal(await statusOf(asCustomer, '/operator/session'), 401);
    assert.equal(await statusOf(asStaff, '/metrics'), 401);
  });

  it('gives way to a key in a header', async () => {
    const session = await customer();
    const headers = headersOf(session, { 'x-api-key': app.lab.stranger.key });
    const response = await request<Envelope<{ account: string }>>(app, 'GET', '/v2/session', { headers });
    assert.equal(response.body.result.account, app.lab.stranger.account);
  });

  it('opens no console without its token', async () => {
    assert.equal(await upgradeStatus(app.url, '/v2/device/console/socket', headersOf(await customer())), 401);
  });

  it('follows events, until it ends', async () => {
    const session = await customer();
    const headers = headersOf(session, { accept: 'text/event-stream' });
    const response = await fetch(`${app.url}/v2/event`, { headers });
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    assert.equal(await statusOf(headersOf(session), '/v2/session', 'DELETE'), 200);
    // Ends with the session; otherwise the test would never end.
    await response.text();
  });

  it('ends with signing out, which deletes the cookie', async () => {
    const session = await customer();
    const { status, headers } = await send('DELETE', '/v2/session', headersOf(session));
    assert.equal(status, 200);
    assert.equal(
      headers.get('set-cookie'),
      '__Host-hostyard-customer=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
    );
    assert.equal(await statusOf(headersOf(session)), 401);
  });
});

describe('the reference', () => {
  const owned = suiteResources();
  let app: TestApp;
  before(async () => void (app = owned.use(await openTestApp())));

  it('may call the API with a key from its opaque origin, and no other page may', async () => {
    const preflight = (headers: Record<string, string>) => request(app, 'OPTIONS', '/v2/account', { headers });
    const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' };
    const allowed = await preflight({ origin: 'null', ...asked });
    assert.deepEqual([allowed.status, allowed.headers.get('access-control-allow-origin')], [204, '*']);
    assert.match(allowed.headers.get('access-control-allow-headers')!, /x-api-key/);
    assert.equal(allowed.headers.get('access-control-allow-credentials'), null);
    const { key } = app.lab.customer;
    const response = await request(app, 'GET', '/v2/account', { key, headers: { origin: 'null' } });
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [200, '*']);
    assert.match(response.headers.get('vary')!, /origin/i);

    const others = [
      { origin: 'https://attacker.example', ...asked },
      { origin: 'null', ...asked, 'access-control-request-headers': 'x-csrf-token' },
      { origin: 'null', ...asked, 'access-control-request-headers': 'x-api-key,x-csrf-token' },
    ];
    for (const headers of others) {
      const refused = await preflight(headers);
      assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [405, null]);
    }
    // Signing in needs no key, so that another page could guess passwords through a visitor's browser.
    const signIn = await request(app, 'POST', '/v2/session', { headers: { origin: 'null' }, params: {} });
    assert.equal(signIn.headers.get('access-control-allow-origin'), null);
  });
});
