// What customers and staff do in the panel, in a browser against the lab, each checked from outside as well: at the
// name server, the BMC, or with an API call.
import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { needsChromium } from '#test/support/chromium.ts';
import { litPoints } from '#test/support/novnc.ts';
import { openPanel, type Panel, type Visit } from '#test/support/panel.ts';
import { request, requestResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('a customer and staff in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel;
  let visit: Visit;
  before(async () => {
    panel = owned.use(await openPanel());
    visit = owned.use(await panel.visit());
  });

  const heading = (name: string | RegExp) => visit.page.getByRole('heading', { level: 1, name });
  const button = (name: string | RegExp) => visit.page.getByRole('button', { name, exact: true });

  it('signs in with email address and password, and not with a wrong one', async () => {
    const { page } = visit;
    const { email, password } = panel.server.lab.customer;
    await visit.go('/');
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page
      .getByLabel('Password', { exact: false })
      .and(page.locator('input[type="password"]'))
      .fill('not this one');
    await button('Sign in').click();
    await page
      .getByRole('alert')
      .filter({ hasText: /incorrect/i })
      .waitFor();
    await page.locator('input[type="password"]').fill(password);
    await button('Sign in').click();
    await heading('Overview').waitFor();
  });

  it('opens a server by a few letters, cycles its power, and sees it boot in the console', async () => {
    const { page } = visit;
    await page.keyboard.press('/');
    await page.getByRole('textbox', { name: 'Search' }).fill('web1');
    await page
      .getByRole('button', { name: /web1\.example\.net/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await heading('web1.example.net').waitFor();
    await page.getByRole('tab', { name: 'Console' }).click();
    const terminal = page.locator('.xterm-rows');
    await terminal.waitFor();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await button('Power cycle').click();
    const dialog = page.getByRole('dialog', { name: /Power cycle web1\.example\.net/ });
    await dialog.getByRole('button', { name: 'Power cycle' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Power cycled', { exact: true }).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await page.getByRole('tab', { name: 'Console' }).click();
    await until(async () => /login:/.test(await page.locator('.xterm-rows').innerText()), {
      saw: () => page.locator('.xterm-rows').innerText(),
    });
    const power = await requestResult<string>(panel.server, 'GET', '/v2/device/power/1001', {
      key: panel.server.lab.customer.key,
    });
    assert.equal(power, 'on');
  });

  it("opens the screen of the server, on its controller's page in another window", async () => {
    const { page } = visit;
    await page.getByRole('tab', { name: 'Console' }).click();
    const opened = page.waitForEvent('popup');
    await button('Remote screen').click();
    const screen = await opened;
    await screen.getByText('Connected').waitFor();
    await until(async () => (await litPoints(screen)) > 100);
    assert.notEqual(new URL(screen.url()).origin, new URL(page.url()).origin);
    assert.equal(await screen.evaluate('window.opener'), null);
    await screen.close();
  });

  it('adds a zone and a record, which the name server then answers', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'DNS' }).click();
    await button('New zone').click();
    await page.getByRole('textbox', { name: 'Domain' }).fill('panel-story.net');
    await button('Add zone').click();
    await heading('panel-story.net').waitFor();
    await button('New record').click();
    const form = page.getByRole('region', { name: 'New record' });
    await form.getByRole('textbox', { name: 'Name' }).fill('www');
    await form.getByRole('textbox', { name: 'IPv4 address' }).fill('not an address');
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByText('Enter an IPv4 address').waitFor();
    await form.getByRole('textbox', { name: 'IPv4 address' }).fill('203.0.113.77');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByText('203.0.113.77').first().waitFor();
    await form.getByRole('combobox', { name: 'Type' }).selectOption('MX');
    await form.getByRole('textbox', { name: 'Priority' }).fill('20');
    await form.getByRole('textbox', { name: 'Mail server' }).fill('mail.example.net');
    await form.getByRole('button', { name: 'Enter as text' }).click();
    assert.equal(await form.getByRole('textbox', { name: 'Content' }).inputValue(), '20 mail.example.net');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByText('20 mail.example.net').first().waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    assert.ok(page.url().endsWith('/panel/dns/panel-story.net'), page.url());
    const { address, port } = panel.server.lab.dns;
    const resolver = new Resolver({ timeout: 5000, tries: 4 });
    resolver.setServers([`${address}:${port}`]);
    assert.deepEqual(await resolver.resolve4('www.panel-story.net'), ['203.0.113.77']);
    await page.getByRole('tab', { name: 'History' }).click();
    await page
      .getByText(/By (?:Ada Winter|API key)/)
      .first()
      .waitFor();
  });

  it('finds records, invoices, actions and pages with the keyboard alone, and lists the shortcuts', async () => {
    const { page } = visit;
    const find = async (text: string): Promise<string> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Search' }).fill(text);
      const first = page.locator('[data-action]').first();
      await until(async () => (await first.count()) > 0 && (await first.innerText()).includes(text));
      return first.innerText();
    };
    await visit.go('/');
    await heading('Overview').waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');

    assert.match(await find('www.panel-story'), /www\.panel-story\.net\s+A 203\.0\.113\.77/);
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await page.keyboard.press('Enter');
    await heading('panel-story.net').waitFor();
    assert.match(await find('203.0.113.77'), /www\.panel-story\.net\s+A 203\.0\.113\.77/);
    await page.keyboard.press('Escape');
    await find('LAB-0001');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Invoice LAB-0001' }).waitFor();
    await page.keyboard.press('Escape');
    await find('New zone');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New zone' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'New zone' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Ctrl').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await page.keyboard.press('Escape');
  });

  it('opens a zone by its name in any script, and by its id as older links do', async () => {
    const { page } = visit;
    const { key } = panel.server.lab.customer;
    const id = await requestResult<string>(panel.server, 'POST', '/v2/dns/domain', {
      key,
      params: { domain: 'xn--bcher-kva.net' },
    });
    for (const link of [id, 'xn--bcher-kva.net', 'bücher.net']) {
      await visit.follow('/dns');
      await visit.settle();
      await visit.follow(`/dns/${link}#history`);
      await heading('bücher.net').waitFor();
      await page.getByText('xn--bcher-kva.net', { exact: true }).waitFor();
      assert.equal(await page.getByRole('tab', { name: 'History' }).getAttribute('aria-selected'), 'true');
    }
    await visit.follow(`/dns/${id}`);
    await page.waitForURL('**/panel/dns/xn--bcher-kva.net');
  });

  it('offers to prove control of a domain that another account has', async () => {
    const { page } = visit;
    const { customer, stranger } = panel.server.lab;
    const domain = 'panel-claim.net';
    await requestResult(panel.server, 'POST', '/v2/dns/domain', { key: stranger.key, params: { domain } });
    await visit.follow('/dns');
    await button('New zone').click();
    await page.getByRole('textbox', { name: 'Domain' }).fill(domain);
    await button('Add zone').click();
    await button('Prove control').click();
    const shown = (label: string) => page.getByRole('group', { name: label }).innerText();
    await page.getByRole('group', { name: 'Content' }).waitFor();
    const claim = await requestResult<Record<string, string>>(panel.server, 'POST', '/v2/dns/claim', {
      key: customer.key,
      params: { domain },
    });
    assert.deepEqual([await shown('Name'), await shown('Content')], [claim['record'], claim['content']]);
    await button('Verify').waitFor();
    await button('Cancel').click();
  });

  it('installs a system, follows it to its end, and gets its password', async () => {
    const { page } = visit;
    await visit.follow('/servers/1002#install');
    const system = page.getByRole('radiogroup', { name: 'Operating system' }).getByRole('radio').first();
    await system.focus();
    await page.keyboard.press('Space');
    await button('Install').click();
    const dialog = page.getByRole('dialog', { name: /^Install .* on db1\.example\.net/ });
    const erase = dialog.getByRole('button', { name: 'Erase and install' });
    assert.equal(await erase.getAttribute('aria-disabled'), 'true', 'it cannot be undone: the name is typed first');
    await dialog.getByRole('textbox').fill('db1.example.net');
    await erase.click();
    await page.getByText('Installation started').waitFor();
    await button('Done, I saved it').click();
    await until(async () => (await page.locator('main').innerText()).includes('Last installation'), {
      saw: () => page.locator('main').innerText(),
    });
    await page.getByText('Completed', { exact: true }).first().waitFor();
    const result = await requestResult<string>(panel.server, 'PUT', '/v2/device/reload', {
      key: panel.server.lab.customer.key,
      params: { service: 1002 },
    });
    assert.equal(result, 'Completed');
  });

  it('enables the tunnel devices of a virtual machine, and sees if that needs a restart', async () => {
    const { page } = visit;
    const { key } = panel.server.lab.customer;
    const read = () => request<{ result: object }>(panel.server, 'GET', '/v2/device/tun/2001', { key });
    const status = async () => (await read()).body.result;
    await visit.follow('/servers/2001');
    const card = page.getByRole('region', { name: 'Tunnel devices' });
    await card.getByText('Disabled').waitFor();
    await card.getByRole('button', { name: 'Enable tunnel devices' }).click();
    await card.getByText('Enabled').waitFor();
    assert.deepEqual(await status(), { state: 'enabled', effect: 'now' });
    assert.equal(await card.getByText('next start').count(), 0);
    // The lab's hypervisor always can.
    await page.route('**/v2/device/tun/2001', async (route) => {
      const { body } = await read();
      await route.fulfill({ json: { ...body, result: { ...body.result, effect: 'next start' } } });
    });
    await card.getByRole('button', { name: 'Disable tunnel devices' }).click();
    await card
      .getByText('Takes effect from the next start. Until then, the running system has them enabled.')
      .waitFor();
    await card.getByText('Disabled').waitFor();
    assert.deepEqual(await status(), { state: 'disabled', effect: 'now' });
    await page.unroute('**/v2/device/tun/2001');
    await visit.follow('/servers/1001');
    await heading('web1.example.net').waitFor();
    await page.getByRole('region', { name: 'Root password' }).waitFor();
    assert.equal(await card.count(), 0, 'a dedicated server has none');
  });

  it('downloads an invoice as PDF', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Invoices' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: /^Download .* as PDF/ })
        .first()
        .click(),
    ]);
    const bytes = await readFile(await download.path());
    assert.equal(bytes.subarray(0, 5).toString('latin1'), '%PDF-');
  });

  it('creates a key, which then works within its scopes and for its servers', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'API keys' }).click();
    await button('New key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('story');
    await dialog.getByRole('combobox', { name: 'Limit to servers' }).fill('web1');
    await page.getByRole('option', { name: /^web1\.example\.net/ }).click();
    await dialog.getByRole('checkbox', { name: /View devices/ }).check();
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    const secret = page.getByText(/^hy_/);
    await secret.waitFor();
    const key = (await secret.innerText()).trim();
    const servers = await requestResult<{ service: string }[]>(panel.server, 'GET', '/v2/device/list', { key });
    assert.deepEqual(
      servers.map(({ service }) => service),
      ['1001'],
    );
    const response = await request(panel.server, 'GET', '/v2/account/balance', { key });
    assert.equal(response.status, 403);
    await button('Done, I saved it').click();
    await page.getByText('Only 1 server').waitFor();
  });

  it('is asked to sign in again when the session has expired, and keeps the input', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Contacts' }).click();
    await button('Add contact').click();
    const form = page.getByRole('dialog', { name: 'New contact' });
    await form.getByRole('textbox', { name: 'First name' }).fill('Typed Before');
    const key = (await page.context().cookies())[0]!.value;
    assert.equal((await request(panel.server, 'DELETE', '/v2/session', { key })).status, 200);
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    // The page notices at its next request; opening another part of it triggers one.
    await until(async () => {
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      return page.getByText('Your session has expired').isVisible();
    });
    const again = page.getByRole('dialog', { name: 'Your session has expired' });
    await again.getByRole('textbox', { name: 'Email' }).fill(panel.server.lab.customer.email);
    await again.locator('input[type="password"]').fill(panel.server.lab.customer.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitFor({ state: 'hidden' });
    assert.equal(await form.getByRole('textbox', { name: 'First name' }).inputValue(), 'Typed Before');
  });

  it('sees a service that staff suspended, for which staff must give a reason', async () => {
    await using staff = await panel.visit();
    const { page } = staff;
    await staff.go('/sign-in');
    await page.getByRole('link', { name: 'Staff sign-in' }).click();
    await page.getByText('API key', { exact: true }).click();
    await page.locator('input[type="password"]').fill(panel.server.lab.operator.key);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor();
    await page.getByRole('link', { name: 'Racks' }).click();
    await page
      .getByRole('button', { name: /dc01r01ds01/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Services' }).click();
    await page.getByText('vps1.example.net').first().click();
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Suspend vps1.example.net?' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Story');
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await until(async () => {
      const { status } = await request(panel.server, 'POST', '/v2/device/power', {
        key: panel.server.lab.customer.key,
        params: { service: 2001, action: 'on' },
      });
      return status === 403;
    });
    await page.getByText('Suspended by staff').waitFor();
  });
});
