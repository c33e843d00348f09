// The panel's session in a browser: no script can read it, and neither the API reference nor another site can use it.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { codeOf, signInOperator } from '#test/support/operators.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { requestResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

describe("the panel's session", needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let visit: Visit;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp({ trustedProxies: ['127.0.0.1'] })));
    visit = owned.use(await panel.visit());
  });
  // As in a new browser, except that the panel's scripts are cached.
  beforeEach(async () => {
    const { page } = visit;
    await page.unrouteAll();
    const context = page.context();
    for (const other of context.pages()) if (other !== page) await other.close();
    await context.clearCookies();
    await page.goto(`${panel.server.url}/healthz`);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  });

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const submit = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true }).click();
  async function fillCredentials(page: Page): Promise<void> {
    const { email, password } = panel.server.lab.customer;
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.locator('input[type="password"]').fill(password);
    await submit(page);
  }
  /** Leaves the browser as signing in leaves it, without loading the panel. */
  async function openSession(): Promise<void> {
    const { email, password } = panel.server.lab.customer;
    const { key } = await requestResult<{ key: string }>(panel.server, 'POST', '/v2/session', {
      params: { email, password },
    });
    await visit.holdKey('customer', key);
  }
  const zonesOf = () =>
    requestResult<{ domain: string }[]>(panel.server, 'GET', '/v2/dns/domain', { key: panel.server.lab.customer.key });
  const cookieNames = async (): Promise<string[]> =>
    (await visit.page.context().cookies()).map(({ name }) => name).sort();

  it('opens the page that was asked for after the sign-in, and no other site', async () => {
    const { page, go } = visit;
    await go('/servers/1001#hardware');
    await fillCredentials(page);
    await heading(page, 'web1.example.net').waitFor();
    await page.getByRole('tab', { name: 'Hardware', selected: true }).waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Email' }).waitFor();
    assert.equal(new URL(page.url()).search, '', 'the next person does not follow the one who signed out');
    // Unit tests of pathAfterSignIn have the other kinds of addresses.
    await go(`/sign-in?from=${encodeURIComponent('//attacker.example/')}`);
    await fillCredentials(page);
    await heading(page, 'Overview').waitFor();
    assert.equal(new URL(page.url()).origin, panel.server.url);
  });

  it('keeps the frame around an unknown address and around what cannot be loaded without a connection', async () => {
    await openSession();
    await visit.go('/no/such/page');
    await heading(visit.page, 'Page not found').waitFor();
    await visit.page.getByRole('link', { name: 'Invoices', exact: true }).waitFor();
    // In a separate page, because React reports the error that is shown.
    const page = await visit.page.context().newPage();
    await page.goto(`${panel.server.url}/panel/servers/1001`);
    await page.getByRole('region', { name: 'Root password' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('tab', { name: 'Hardware' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Check your internet connection').waitFor();
    assert.doesNotMatch(await alert.innerText(), /module|http/i);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('region', { name: 'Root password' }).waitFor();
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await alert.getByText('Check your internet connection').waitFor();
    await page.getByRole('link', { name: 'Invoices', exact: true }).waitFor();
    await page.context().setOffline(false);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Dana Moss').first().waitFor();
  });

  it('starts over if another person signs in after it has expired', async () => {
    await openSession();
    const { page, go } = visit;
    await go('/contacts');
    await page.getByText('Dana Moss').first().waitFor();
    const [cookie] = await page.context().cookies();
    await requestResult(panel.server, 'DELETE', '/v2/session', { key: cookie!.value });
    const again = page.getByRole('dialog', { name: 'Your session has expired' });
    await until(async () => {
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      return again.isVisible();
    });
    await again.getByText('API key', { exact: true }).click();
    await again.locator('input[type="password"]').fill(panel.server.lab.stranger.key);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(page, 'Overview').waitFor();
    await again.waitFor({ state: 'hidden' });
    assert.equal(await page.getByText('Dana Moss').count(), 0);
  });

  it('cannot be read by a script, and survives a reload', async () => {
    const { page, go } = visit;
    await go('/sign-in');
    await fillCredentials(page);
    await heading(page, 'Overview').waitFor();
    const readable = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])`;
    assert.doesNotMatch(await page.evaluate<string>(readable), /hy_/);
    await page.reload();
    await heading(page, 'Overview').waitFor();
  });

  it('is out of reach for a script in the API reference', async () => {
    await openSession();
    const { page, go } = visit;
    // In a separate page, because the browser reports each blocked call as an error.
    const reference = await page.context().newPage();
    // Its own script is large, and makes no difference to what another script in the page can do.
    await reference.route('**/scalar.js', (route) => route.abort());
    await reference.goto(`${panel.server.url}/docs`);
    const attack = `(async () => {
      const stored = [];
      for (const name of ['localStorage', 'sessionStorage'])
        try { stored.push(...Object.values(globalThis[name]).map(String)); } catch {}
      try { stored.push(...document.cookie.split('; ')); } catch {}
      const found = stored.join().match(/hy_\\w+/)?.[0];
      const tokens = stored.flatMap((text) => text.match(/[\\w-]{43}/g) ?? []);
      const call = (headers, method = 'GET') =>
        fetch('/v2/session', { method, headers, credentials: 'include' }).then((response) => response.status, () => 'blocked');
      return {
        origin: self.origin,
        found,
        tokens,
        calls: [await call({}), await call({ 'x-api-key': found ?? 'none' }), await call({ 'x-csrf-token': tokens[0] ?? 'none' })],
        change: await call({ 'x-csrf-token': tokens[0] ?? 'none' }, 'DELETE'),
      };
    })()`;
    assert.deepEqual(await reference.evaluate(attack), {
      origin: 'null',
      found: undefined,
      tokens: [],
      calls: ['blocked', 'blocked', 'blocked'],
      change: 'blocked',
    });
    await go('/');
    await heading(page, 'Overview').waitFor();
  });

  it('cannot be used by a form on another site, or on another port of this host', async () => {
    await openSession();
    const { page } = visit;
    const { port } = new URL(panel.server.url);
    // Ports make no difference to SameSite, so that the browser sends the cookie from the second one.
    const homes = { 'http://attacker.example/': false, [`http://127.0.0.1:${Number(port) + 1}/`]: true };
    for (const [home, sendsCookie] of Object.entries(homes)) {
      const form = `<form method="post" action="${panel.server.url}/v2/dns/domain">
        <input name="domain" value="forged.example.com"></form>`;
      await page.route(home, (route) => route.fulfill({ contentType: 'text/html', body: form }));
      await page.goto(home);
      const responded = page.waitForResponse((response) => response.url().endsWith('/v2/dns/domain'));
      await page.evaluate('document.forms[0].submit()');
      const response = await responded;
      assert.equal(response.status(), 401, home);
      const { cookie } = await response.request().allHeaders();
      assert.equal(cookie !== undefined, sendsCookie, home);
      await page.waitForURL('**/v2/dns/domain');
    }
    assert.deepEqual(
      (await zonesOf()).filter(({ domain }) => domain === 'forged.example.com'),
      [],
    );
  });

  it('of a customer and of staff exist side by side, and each is signed out alone', async () => {
    await openSession();
    const { page } = visit;
    await visit.go('/invoices');
    const { name, password, secret } = await signInOperator(panel.server, 'owner');
    const staff = await page.context().newPage();
    await staff.goto(`${panel.server.url}/panel/sign-in?staff=true`);
    await staff.getByRole('textbox', { name: 'Name' }).fill(name);
    await staff.locator('input[type="password"]').fill(password);
    await staff.getByRole('textbox', { name: /code/ }).fill(codeOf(panel.server, secret, 1));
    await submit(staff);
    await heading(staff, 'Fleet').waitFor();
    assert.deepEqual(await cookieNames(), ['__Host-hostyard-customer', '__Host-hostyard-staff']);
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await heading(page, 'Contacts').waitFor();

    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Email' }).waitFor();
    assert.deepEqual(await cookieNames(), ['__Host-hostyard-staff']);
    await staff.reload();
    await heading(staff, 'Fleet').waitFor();
  });

  it('is ended in all tabs by signing out in one', async () => {
    await openSession();
    const { page, go } = visit;
    await go('/');
    const other = await page.context().newPage();
    await other.goto(`${panel.server.url}/panel`);
    await heading(other, 'Overview').waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('textbox', { name: 'Email' }).waitFor();
    // The next person there may be another one, and sees nothing of what was loaded before.
    const { promise, resolve } = Promise.withResolvers<void>();
    await other.route('**/v2/device/list*', (route) => promise.then(() => route.fallback()));
    await fillCredentials(other);
    await heading(other, 'Overview').waitFor();
    await other.getByRole('link', { name: 'Servers', exact: true }).waitFor();
    assert.equal(await other.getByText('web1.example.net').count(), 0);
    resolve();
    await other.getByText('web1.example.net').first().waitFor();
  });

  it('is not shown as ended while the server has not ended it', async () => {
    await openSession();
    const { page } = visit;
    await visit.go('/');
    const isSignOut = '**/v2/session';
    await page.route(isSignOut, (route) => (route.request().method() === 'DELETE' ? route.abort() : route.fallback()));
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in').waitFor();
    await page.unroute(isSignOut);
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Email' }).waitFor();
    assert.deepEqual(await cookieNames(), []);
  });

  it('of an earlier version is removed from the storage of the browser', async () => {
    const { page, go } = visit;
    await go('/sign-in');
    const { key } = panel.server.lab.customer;
    const old = JSON.stringify(JSON.stringify({ face: 'customer', key }));
    await page.evaluate(`localStorage.setItem('hostyard.session', ${old})`);
    await page.evaluate(`sessionStorage.setItem('hostyard.session', ${old})`);
    await go('/');
    await page.getByRole('textbox', { name: 'Email' }).waitFor();
    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    assert.doesNotMatch(stored, /hy_/);
  });

  it('is reported if the browser does not keep its cookie', async () => {
    const { page, go } = visit;
    // Like a response over plain HTTP, whose cookie the browser ignores.
    const body = JSON.stringify({ success: true, results: 1, result: { key: '', csrf: 'x'.repeat(43) } });
    await page.route('**/v2/session', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ contentType: 'application/json', body }) : route.fallback(),
    );
    await go('/sign-in');
    await fillCredentials(page);
    await page.getByRole('alert').filter({ hasText: 'HTTPS' }).waitFor();
  });
});
