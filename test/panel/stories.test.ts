// What a customer and what staff do in the panel, told in a browser against a server on the lab, and each time seen from outside as
// well: by the name server, by the controller, by a call with the key.
import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { needs } from '#test/support/needs.ts';
import { openPanel, type Panel, type Visit } from '#test/support/panel.ts';
import { request } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

describe('a customer and staff in the panel', needs('chromium'), () => {
  let panel: Panel;
  let visit: Visit;
  before(async () => {
    panel = await openPanel();
    visit = await panel.visit();
  });
  after(async () => {
    await visit?.[Symbol.asyncDispose]();
    await panel?.[Symbol.asyncDispose]();
  });

  const heading = (name: string | RegExp) => visit.page.getByRole('heading', { level: 1, name });
  const button = (name: string | RegExp) => visit.page.getByRole('button', { name, exact: true });

  it('signs in by email and password, and not with another', async () => {
    const { page } = visit;
    const { email, password } = panel.server.lab.customer;
    await visit.go('/');
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page
      .getByLabel('Password', { exact: false })
      .and(page.locator('input[type="password"]'))
      .fill('not this one');
    await button('Sign in').click();
    await page.getByRole('alert').filter({ hasText: /wrong/i }).waitFor();
    await page.locator('input[type="password"]').fill(password);
    await button('Sign in').click();
    await heading('Overview').waitFor();
  });

  it('goes to a server by a few letters, cycles its power, and sees it boot in the console', async () => {
    const { page } = visit;
    await page.keyboard.press('/');
    await page.getByPlaceholder(/Go to a page/).fill('web1');
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
    const question = page.getByRole('dialog', { name: /Power cycle: web1\.example\.net/ });
    await question.getByRole('button', { name: 'Power cycle' }).click();
    await question.waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'Console' }).click();
    await until(async () => /login:/.test(await page.locator('.xterm-rows').innerText()), {
      saw: () => page.locator('.xterm-rows').innerText(),
    });
    const power = await request<{ result: string }>(panel.server, 'GET', '/v2/device/power/1001', {
      key: panel.server.lab.customer.key,
    });
    assert.equal(power.body.result, 'on');
  });

  it('adds a zone and a record, which the name server then answers', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'DNS' }).click();
    await button('New zone').click();
    await page.getByRole('textbox', { name: 'Domain' }).fill('panel-story.net');
    await button('Add the zone').click();
    await heading('panel-story.net').waitFor();
    await button('New record').click();
    const form = page.getByRole('region', { name: 'New record' });
    await form.getByRole('textbox', { name: 'Name' }).fill('www');
    await form.getByRole('textbox', { name: 'Content' }).fill('not an address');
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByText(/must be/).waitFor();
    await form.getByRole('textbox', { name: 'Content' }).fill('203.0.113.77');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByText('203.0.113.77').first().waitFor();
    const { address, port } = panel.server.lab.dns;
    const resolver = new Resolver({ timeout: 5000, tries: 4 });
    resolver.setServers([`${address}:${port}`]);
    assert.deepEqual(await resolver.resolve4('www.panel-story.net'), ['203.0.113.77']);
  });

  it('has a system installed, follows it to its end, and gets its password', async () => {
    const { page } = visit;
    await visit.go('/servers/1002#install');
    const system = page.getByRole('radiogroup', { name: 'System' }).getByRole('radio').first();
    await system.focus();
    await page.keyboard.press('Space');
    await button('Install').click();
    const question = page.getByRole('dialog', { name: /^Install .* on db1\.example\.net/ });
    const erase = question.getByRole('button', { name: 'Erase and install' });
    assert.equal(await erase.getAttribute('aria-disabled'), 'true', 'nothing brings it back: the name is typed first');
    await question.getByRole('textbox').fill('db1.example.net');
    await erase.click();
    await page.getByText('The installation has begun').waitFor();
    await button('I have it').click();
    await until(async () => (await page.locator('main').innerText()).includes('Last installation'), {
      saw: () => page.locator('main').innerText(),
    });
    await page.getByText('Completed', { exact: true }).first().waitFor();
    const { body } = await request<{ result: string }>(panel.server, 'PUT', '/v2/device/reload', {
      key: panel.server.lab.customer.key,
      params: { service: 1002 },
    });
    assert.equal(body.result, 'Completed');
  });

  it('takes an invoice home as PDF', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Invoices' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: /^PDF of/ })
        .first()
        .click(),
    ]);
    const bytes = await readFile(await download.path());
    assert.equal(bytes.subarray(0, 5).toString('latin1'), '%PDF-');
  });

  it('makes a key, which then opens what it may and nothing else', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'API keys' }).click();
    await button('New key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('story');
    await dialog.getByRole('checkbox', { name: /See balance and invoices/ }).check();
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    const secret = page.getByText(/^hy_/);
    await secret.waitFor();
    const key = (await secret.innerText()).trim();
    const read = await request(panel.server, 'GET', '/v2/account/balance', { key });
    const refused = await request(panel.server, 'GET', '/v2/device/list', { key });
    assert.deepEqual([read.status, refused.status], [200, 403]);
    await button('I have it').click();
  });

  it('is asked to sign in again when the session has ended, and keeps what was typed', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Contacts' }).click();
    await button('Add a contact').click();
    const form = page.getByRole('dialog', { name: 'New contact' });
    await form.getByRole('textbox', { name: 'First name' }).fill('Typed Before');
    const { key } = JSON.parse(await page.evaluate<string>(`localStorage.getItem('hostyard.session')`)) as {
      key: string;
    };
    assert.equal((await request(panel.server, 'DELETE', '/v2/session', { key })).status, 200);
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    // The page asks for something sooner or later; going to another part of it is sooner.
    await until(async () => {
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      return page.getByText('Your session has ended').isVisible();
    });
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByRole('textbox', { name: 'Email' }).fill(panel.server.lab.customer.email);
    await again.locator('input[type="password"]').fill(panel.server.lab.customer.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitFor({ state: 'hidden' });
    assert.equal(await form.getByRole('textbox', { name: 'First name' }).inputValue(), 'Typed Before');
  });

  it('finds a service of his cut off by staff, who have to say why', async () => {
    await using staff = await panel.visit();
    const { page } = staff;
    await staff.go('/sign-in');
    await page.getByRole('link', { name: 'I work here' }).click();
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
    const question = page.getByRole('dialog', { name: 'Suspend vps1.example.net?' });
    await question.getByRole('textbox', { name: 'Reason' }).fill('Story');
    await question.getByRole('button', { name: 'Suspend', exact: true }).click();
    await question.waitFor({ state: 'hidden' });
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
