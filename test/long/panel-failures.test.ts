// The panel when something fails: a session that expires in the middle of a form, an unreachable server, responses that
// are errors, late, or empty. Input is kept, the problem is shown, and the page recovers.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import { totpBytes, totpCode, totpStep } from '#lib/totp.ts';
import { customerNavigation, staffNavigation } from '#panel/shell/navigation.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanel, type Panel, type Visit } from '#test/support/panel.ts';
import { request, requestResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

/** For a click that may come too late. */
const clickMs = 15_000;

/** A form with input, and how to submit it. */
interface Typed {
  readonly field: Locator;
  readonly text: string;
  send(): Promise<void>;
}

/** Clicks it as long as the page offers it. */
async function tryAgain(page: Page): Promise<void> {
  const again = page.getByRole('button', { name: 'Try again', exact: true });
  for (let left = 20; left > 0 && (await again.count()) > 0; left--) {
    await again
      .first()
      .click({ timeout: 5000 })
      .catch(() => {});
    await page.waitForTimeout(300);
  }
}

const isSeen = (what: Locator): Promise<boolean> =>
  what.waitFor().then(
    () => true,
    () => false,
  );

const isStream = (request: Request): boolean => request.headers()['accept'] === 'text/event-stream';

describe('the panel during failures', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel;
  let visit: Visit;
  let zone: string;
  before(async () => {
    panel = owned.use(await openPanel());
    visit = owned.use(await panel.visit());
    zone = await call<string>('POST', '/v2/dns/domain', { domain: 'troubles.net' });
    await call('POST', '/v2/dns/record', { domain: zone, record: 'www.troubles.net', type: 'A', content: '192.0.2.1' });
  });

  async function call<T>(method: string, path: string, params: object = {}): Promise<T> {
    return requestResult<T>(panel.server, method, path, {
      key: panel.server.lab.customer.key,
      params: params as Record<string, unknown>,
    });
  }
  const button = (name: string | RegExp) => visit.page.getByRole('button', { name, exact: true });
  const textbox = (name: string | RegExp) => visit.page.getByRole('textbox', { name });
  const body = () => visit.page.locator('body').innerText();

  async function signIn(): Promise<string> {
    const { email, password } = panel.server.lab.customer;
    const { key } = await call<{ key: string }>('POST', '/v2/session', { email, password });
    await visit.holdKey('customer', key);
    return key;
  }

  async function fill(path: string, field: Locator, text: string, send: string, open?: Locator): Promise<Typed> {
    await visit.go(path);
    await open?.click();
    await field.fill(text);
    return { field, text, send: () => button(send).click({ timeout: clickMs }) };
  }

  const forms: Readonly<Record<string, () => Promise<Typed>>> = {
    'a new zone': () => fill('/dns', textbox('Domain'), 'typed-before.net', 'Add zone', button('New zone')),
    'a new record': async () => {
      const typed = await fill(`/dns/${zone}`, textbox('Name'), 'typed', 'Add', button('New record'));
      await textbox('IPv4 address').fill('192.0.2.77');
      return typed;
    },
    'a record that is edited': async () => {
      await visit.go(`/dns/${zone}`);
      await visit.page.getByRole('button', { name: /^Content of www A/ }).click();
      const field = textbox('Content of www A');
      await field.fill('192.0.2.78');
      return { field, text: '192.0.2.78', send: () => field.press('Enter') };
    },
    'a zone file': () => fill(`/dns/${zone}#import`, textbox('Zone file'), '@ NS ns1.example.net.', 'Preview changes'),
    'a key': async () => {
      const typed = await fill('/keys', textbox('Name'), 'typed before', 'Create API key', button('New key'));
      await visit.page.getByRole('checkbox', { name: /View balance and invoices/ }).check();
      return typed;
    },
    'a webhook': () =>
      fill('/webhooks', textbox('URL'), 'https://203.0.113.250/hook', 'Create webhook', button('New webhook')),
    'a host name': () => fill('/servers/1001', textbox('Hostname'), 'typed.example.net', 'Change hostname'),
    'a confirmation that requires a name': async () => {
      const own = await call<string>('POST', '/v2/dns/domain', { domain: `question-${Date.now()}.net` });
      await visit.go(`/dns/${own}`);
      const title = await visit.page.getByRole('heading', { level: 1 }).innerText();
      await button('Delete').click();
      const field = textbox(/^Type .* to confirm/);
      await field.fill(title);
      return { field, text: title, send: () => button('Delete zone').click() };
    },
  };

  for (const [name, open] of Object.entries(forms)) {
    it(`keeps ${name} when the session expires, and accepts it after signing in again`, async () => {
      const key = await signIn();
      // The event stream would report the end first; here the form itself discovers it.
      await visit.page.route('**/v2/event?**', () => {});
      try {
        const { field, text, send } = await open();
        assert.equal((await request(panel.server, 'DELETE', '/v2/session', { key })).status, 200);
        const again = visit.page.getByRole('dialog', { name: 'Your session has expired' });
        // Something else on the page may have discovered it before.
        await send().catch(() => {});
        await again.waitFor();
        await again.getByRole('textbox', { name: 'Email' }).fill(panel.server.lab.customer.email);
        await again.locator('input[type="password"]').fill(panel.server.lab.customer.password);
        await again.getByRole('button', { name: 'Sign in', exact: true }).click();
        await again.waitFor({ state: 'hidden' });
        assert.equal(await field.inputValue(), text);
        const sent = visit.page.waitForResponse(
          (response) =>
            response.request().method() !== 'GET' && response.url().includes('/v2/') && response.status() !== 401,
        );
        await send();
        await sent;
      } finally {
        await visit.page.unroute('**/v2/event?**');
      }
    });
  }

  it('says that the connection is lost, and is up to date again when the server is back', async () => {
    await signIn();
    await visit.go('/dns');
    await visit.page.getByText('troubles.net').first().waitFor();
    await panel.server.kill();
    await visit.page.getByText('Connection lost').waitFor();
    assert.match(await body(), /troubles\.net/, 'existing content stays');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await panel.server.restart();
    await visit.page.getByText('Connection lost').waitFor({ state: 'hidden' });
    await call('POST', '/v2/dns/domain', { domain: 'after-the-storm.net' });
    await visit.page.getByText('after-the-storm.net').waitFor();
  });

  it('reconnects the console when the server is back', async () => {
    await signIn();
    await visit.go('/servers/1001#console');
    const connected = visit.page.getByRole('status').filter({ hasText: /^Connected$/ });
    await connected.waitFor();
    await panel.server.kill();
    await visit.page.getByText('Connection lost. Reconnecting…').waitFor();
    await panel.server.restart();
    await connected.waitFor();
    // Output without a listener is lost; typing gets a response.
    const terminal = visit.page.locator('.xterm-rows');
    await visit.page.locator('.xterm').click();
    await visit.page.keyboard.press('Enter');
    await until(async () => /login:/.test(await terminal.innerText()), { saw: () => terminal.innerText() });
  });

  it('asks staff to sign in again without losing their input', async () => {
    await using own = await panel.visit();
    const { page } = own;
    const name = `nora${Date.now()}`;
    const staff = async <T>(method: string, path: string, params: object, key?: string): Promise<T> => {
      const options = { params: params as Record<string, unknown>, ...(key === undefined ? {} : { key }) };
      return requestResult<T>(panel.server, method, `/operator/${path}`, options);
    };
    const owner = { name, role: 'owner' };
    const { password } = await staff<{ password: string }>('POST', 'operator', owner, panel.server.lab.operator.key);
    const { key } = await staff<{ key: string }>('POST', 'session', { name, password });
    const { secret } = await staff<{ secret: string }>('POST', 'totp', { password }, key);
    // A code counts once: the previous one is used here, so that the current one is left.
    const codeNow = (earlier: number) => totpCode(totpBytes(secret), totpStep(Date.now()) - earlier);
    await staff('PUT', 'totp', { code: codeNow(1) }, key);
    await own.holdKey('staff', key);
    await own.go('/staff');
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('button', { name: 'New customer' }).click();
    const field = page.getByRole('textbox', { name: 'First name' });
    await field.fill('Typed Before');
    await staff('DELETE', 'session', {}, key);
    const again = page.getByRole('dialog', { name: 'Your session has expired' });
    await again.waitFor();
    await again.getByRole('textbox', { name: 'Name' }).fill(name);
    await again.locator('input[type="password"]').fill(password);
    await again.getByRole('textbox', { name: 'Authentication code' }).fill(codeNow(0).replace(/^.../, '$& '));
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitFor({ state: 'hidden' });
    assert.equal(await field.inputValue(), 'Typed Before');
  });

  it('says so if a change could not be sent, and sends it when the server is back', async () => {
    await signIn();
    const { send, field, text } = await fill(
      '/dns',
      textbox('Domain'),
      'sent-later.net',
      'Add zone',
      button('New zone'),
    );
    await panel.server.kill();
    await send();
    await visit.page.getByRole('dialog').getByRole('alert').waitFor();
    assert.equal(await field.inputValue(), text);
    await panel.server.restart();
    await send();
    await visit.page.getByRole('heading', { level: 1, name: 'sent-later.net' }).waitFor();
  });

  // The runbooks are part of the panel, so nothing is loaded that could fail.
  const staffPlaces = staffNavigation.map((group) => group.filter(({ to }) => to !== '/staff/runbook'));
  const portals = [
    { portal: 'customer', api: '/v2/', places: customerNavigation, more: ['/servers/1001', '/dns/1'] },
    { portal: 'staff', api: '/operator/', places: staffPlaces, more: ['/staff/customers/1', '/staff/security'] },
  ] as const;
  for (const { portal, api, places, more } of portals) {
    it(`says on every ${portal} page what failed, and shows it after a retry`, async () => {
      await using own = await panel.visit();
      const { lab } = panel.server;
      await own.holdKey(portal, portal === 'staff' ? lab.operator.key : lab.customer.key);
      const { page } = own;
      const isOfPage = (url: URL): boolean =>
        (url.pathname.startsWith(api) || url.pathname.startsWith('/software')) &&
        !/\/(session|change)$/.test(url.pathname);
      const wrong: string[] = [];
      for (const path of [...places.flat().map(({ to }) => to), ...more]) {
        await page.route(isOfPage, (route) =>
          isStream(route.request())
            ? route.fallback()
            : route.fulfill({
                status: 422,
                json: {
                  success: false,
                  results: 0,
                  result: { code: 'capability_missing', message: 'It is all wrong.' },
                },
              }),
        );
        const alert = page.getByText('It is all wrong.').first();
        await own.go(path);
        if (!(await isSeen(alert))) wrong.push(`${path} says nothing: ${await page.locator('body').innerText()}`);
        wrong.push(...(await own.accessibilityProblems()).map((problem) => `${path}: ${problem}`));
        await page.unroute(isOfPage);
        await tryAgain(page);
        const isGone = await alert.waitFor({ state: 'hidden', timeout: 20_000 }).then(
          () => true,
          () => false,
        );
        if (!isGone) wrong.push(`${path} still says that it failed`);
      }
      assert.deepEqual(wrong, []);
    });

    it(`shows every ${portal} page while it is loading`, async () => {
      await using own = await panel.visit();
      const { lab } = panel.server;
      await own.holdKey(portal, portal === 'staff' ? lab.operator.key : lab.customer.key);
      const wrong: string[] = [];
      await own.page.route(
        (url) => url.pathname.startsWith(api) && !url.pathname.endsWith('/session'),
        () => {},
      );
      for (const path of [...places.flat().map(({ to }) => to), ...more]) {
        const busy = own.page.locator('[aria-busy="true"]').first();
        await own.go(path);
        if (!(await isSeen(busy))) wrong.push(`${path}: ${await own.page.locator('body').innerText()}`);
        wrong.push(...(await own.accessibilityProblems()).map((problem) => `${path}: ${problem}`));
      }
      assert.deepEqual(wrong, []);
    });
  }

  it('tells a customer without anything what will appear on each page', async () => {
    await using own = await panel.visit();
    const { key } = panel.server.lab.customer;
    await own.holdKey('customer', key);
    const withoutItems = (result: unknown): unknown => {
      if (Array.isArray(result)) return [];
      if (typeof result !== 'object' || result === null) return result;
      return Object.fromEntries(
        Object.entries(result).map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
      );
    };
    await own.page.route(
      (url) => url.pathname.startsWith('/v2/') && !url.pathname.endsWith('/session'),
      async (route) => {
        if (isStream(route.request())) return route.fallback();
        const response = await fetch(route.request().url(), { headers: { 'x-api-key': key } });
        const body = (await response.json()) as { result: unknown };
        return route.fulfill({ status: response.status, json: { ...body, result: withoutItems(body.result) } });
      },
    );
    await own.go('/');
    const wrong: string[] = [];
    for (const { to } of customerNavigation.flat()) {
      const word = own.page.locator('main').getByText(/\b(no|not|nothing)\b/i);
      await own.follow(to);
      await own.settle();
      if (!(await isSeen(word.first()))) wrong.push(`${to}: ${await own.page.locator('body').innerText()}`);
      wrong.push(...(await own.accessibilityProblems()).map((problem) => `${to}: ${problem}`));
    }
    assert.deepEqual(wrong, []);
  });
});
