// What customers and staff meet every day in the panel: figures that add up, reasons in place of errors, and a way back.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { anna } from '#test/support/contacts.ts';
import { accountFields, createAccount } from '#test/support/operators.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { requestResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('everyday work in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let visit: Visit;
  before(async () => {
    const start = () => openTestApp({ worksOffJobs: true, trustedProxies: ['127.0.0.1'] });
    panel = owned.use(await openPanelOn(start));
    visit = owned.use(await panel.visit());
    await visit.holdKey('customer', panel.server.lab.customer.key);
  });

  const read = <Result>(path: string, params: Record<string, unknown> = {}): Promise<Result> =>
    requestResult<Result>(panel.server, 'GET', path, { key: panel.server.lab.customer.key, params });
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

  it('lists an action on equipment once in the audit log, and nobody as the author of a wrong password', async () => {
    const { page } = visit;
    const { email, key } = panel.server.lab.customer;
    await requestResult(panel.server, 'POST', '/v2/device/power', { key, params: { service: 1001, action: 'on' } });
    const wrong = { params: { email, password: 'not this one' } };
    await assert.rejects(requestResult(panel.server, 'POST', '/v2/session', wrong), /401/);
    const log = () => read<{ outcome: string }[]>('/v2/account/audit');
    await until(async () => (await log()).some(({ outcome }) => outcome === 'unauthenticated'));
    await visit.go('/audit');
    const rows = page.getByRole('row');
    const command = rows.filter({ hasText: /sent the power command “on” to [a-z]/ });
    await command.first().waitFor();
    assert.equal(await command.count(), 1);
    assert.doesNotMatch(await page.locator('main').innerText(), /begun|Started|Refused/);
    await command.getByRole('button', { name: /^Details: / }).click();
    await dialog(page, 'Details').getByText('"operation": "v2.devicePowerSet"').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await page.keyboard.press('Escape');
    const attempt = rows.filter({ hasText: 'Not signed in' });
    assert.match(
      await attempt.first().innerText(),
      /Failed attempt: Someone signed in.*as .*Failed.*Wrong password or code/s,
    );
  });

  it('shows what is still open on an overdue invoice, which adds up to the balance, and opens it', async () => {
    const { page } = visit;
    await visit.follow('/');
    const alert = page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('link', { name: /LAB-0002 is overdue/ });
    assert.match(await alert.innerText(), /€68\.58 was due/);
    const card = page.getByRole('region', { name: 'Invoices' });
    await card.getByText('€194.27').waitFor();
    assert.match(await card.innerText(), /€194\.27\s+Open invoices less €5\.00 credit/);
    assert.match(await card.innerText(), /LAB-0002\s+Due [^€]*€68\.58/);
    await alert.click();
    await dialog(page, 'Invoice LAB-0002').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });

  it('returns from an invoice to the list with Back and with Escape', async () => {
    const { page } = visit;
    await visit.follow('/invoices');
    const invoice = dialog(page, 'Invoice LAB-0001');
    for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
      await page.getByRole('button', { name: 'LAB-0001', exact: true }).click();
      await invoice.waitFor();
      await close();
      await invoice.waitFor({ state: 'hidden' });
      await heading(page, 'Invoices').waitFor();
    }
  });

  it('says once to a contact without the permission why there is nothing to see', async () => {
    const { email, password } = panel.server.lab.colleague;
    const { key } = await requestResult<{ key: string }>(panel.server, 'POST', '/v2/session', {
      params: { email, password },
    });
    await using contact = await panel.visit();
    const { page } = contact;
    await contact.holdKey('customer', key);
    await contact.go('/servers');
    for (const path of ['/servers/1001#network', '/servers/1001#events', '/audit', '/dns']) {
      await contact.follow(path);
      await contact.settle();
      const reason = page.getByText(/You need the permission “[A-Z]/);
      await reason.waitFor();
      assert.equal(await reason.count(), 1, path);
      assert.equal(await page.getByRole('alert').count(), 0, path);
      assert.doesNotMatch(await page.locator('main').innerText(), /went wrong|:read/, path);
    }
    await contact.follow('/servers/1001');
    await page.getByRole('region', { name: 'Root password' }).waitFor();
    assert.equal(await page.getByText('do not have the permission').count(), 0);
  });

  it('names the line of a zone file that it cannot import, keeps the text, and records an import but no preview', async () => {
    const { page } = visit;
    const { key } = panel.server.lab.customer;
    const domain = 'everyday-import.net';
    const id = await requestResult<string>(panel.server, 'POST', '/v2/dns/domain', { key, params: { domain } });
    await visit.follow(`/dns/${id}#import`);
    const file = page.getByRole('textbox', { name: 'Zone file' });
    const bad = '@ NS ns1.example.net.\n@ NS ns2.example.net.\n@ CAA 0 issue\nwww A 203.0.113.9\n';
    await file.fill(bad);
    await button(page, 'Preview changes').click();
    await page.getByText(/^Line 3, column \d+: /).waitFor();
    assert.equal(await file.inputValue(), bad);
    await file.fill(bad.replace('issue', 'issue "letsencrypt.org"'));
    await button(page, 'Preview changes').click();
    const preview = page.getByText(/^Changes: /);
    await preview.waitFor();
    const counts = (await preview.innerText()).replace('Changes: ', '');
    const imports = async () =>
      (await read<{ operation: string }[]>('/v2/account/audit')).filter(
        ({ operation }) => operation === 'v2.zoneFileImport',
      ).length;
    assert.equal(await imports(), 0);
    await button(page, 'Import').click();
    await dialog(page, `Import into ${domain}?`).getByRole('button', { name: 'Import' }).click();
    await page.getByText('Zone imported').waitFor();
    assert.equal(await imports(), 1);
    await visit.follow('/');
    await page.getByText(`Zone ${domain} updated: ${counts}`).waitFor();
  });

  it('finds a country by its name, and stores its code', async () => {
    const { page } = visit;
    await visit.follow('/contacts');
    await button(page, 'Add contact').click();
    const form = dialog(page, 'New contact');
    const { password, zipcode } = anna;
    const texts = { 'First name': 'Gerda', 'Last name': 'Vogel', Email: 'gerda@example.com', Address: 'Weg 1' };
    for (const [label, text] of Object.entries({ ...texts, City: 'Bonn', 'State or province': 'NRW' }))
      await form.getByRole('textbox', { name: label, exact: true }).fill(text);
    await form.getByRole('textbox', { name: 'Postal code' }).fill(zipcode);
    await form.locator('input[type="password"]').fill(password);
    await form.getByRole('combobox', { name: 'Country' }).fill('Germ');
    await page.getByRole('option', { name: 'Germany (DE)' }).click();
    await form.getByRole('button', { name: 'Add' }).click();
    await form.waitFor({ state: 'hidden' });
    const contacts = await read<{ email: string; country: string }[]>('/v2/account/contact');
    assert.equal(contacts.find(({ email }) => email === 'gerda@example.com')?.country, 'DE');
  });

  it('counts bursts above what the plan includes, and lists a request for addresses until it is decided', async () => {
    const { page } = visit;
    await visit.follow('/servers/1001#network');
    await page.getByText('A burst interval is five minutes above 100 Mbit/s.').waitFor();
    await button(page, 'Request IP addresses').click();
    const form = dialog(page, 'Request IP addresses');
    await form.getByRole('combobox', { name: 'Size' }).click();
    await page.getByRole('option', { name: /^\/26/ }).click();
    await form.getByRole('button', { name: 'Request' }).click();
    await form.getByText(/^Request #\d+ submitted/).waitFor();
    await form.getByRole('button', { name: 'Close' }).last().click();
    const requests = page.getByRole('table', { name: 'Address requests' });
    assert.match(await requests.innerText(), /IPv4 \/26\s+Pending/);
    await page.reload();
    await requests.getByText('Pending').waitFor();
  });

  it('shows a customer why staff suspended a server; Escape in a dialog leaves the drawer open', async () => {
    await using staff = await panel.visit();
    const { page } = staff;
    await staff.holdKey('staff', panel.server.lab.operator.key);
    await staff.go('/staff/services#3001');
    const drawer = dialog(page, 'Service 3001');
    await button(page, 'Terminate').click();
    const terminate = dialog(page, 'Terminate cloud1.example.net?');
    await terminate.waitFor();
    await page.keyboard.press('Escape');
    await terminate.waitFor({ state: 'hidden' });
    assert.ok(await drawer.isVisible());
    await button(page, 'Suspend').click();
    const suspend = dialog(page, 'Suspend cloud1.example.net?');
    await suspend.getByRole('textbox', { name: 'Reason' }).fill('It sends spam');
    await suspend.getByRole('button', { name: 'Suspend', exact: true }).click();
    await drawer.getByText('Suspended by staff').waitFor();
    // As long as it is closing, Escape is meant for it.
    await suspend.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });

    await visit.follow('/servers/3001');
    await visit.page.getByText('The service is suspended: It sends spam.').waitFor();
    await visit.follow('/');
    const attention = visit.page.getByRole('region', { name: 'Needs attention' });
    assert.match(await attention.innerText(), /cloud1\.example\.net is suspended\s+It sends spam/);
  });

  it('is in the language that a person chooses, before and after the sign-in', async () => {
    const { customer } = panel.server.lab;
    const setLanguage = (language: string): Promise<unknown> =>
      requestResult(panel.server, 'PUT', '/v2/account/preferences', { key: customer.key, params: { language } });
    await using own = await panel.visit();
    await own.go('/sign-in');
    await button(own.page, 'Deutsch').click();
    await own.page.getByRole('heading', { level: 2, name: 'Anmelden' }).waitFor();
    assert.equal(await own.page.locator('html').getAttribute('lang'), 'de');
    await own.holdKey('customer', customer.key);
    await own.go('/');
    await heading(own.page, 'Übersicht').waitFor();
    assert.deepEqual(await own.accessibilityProblems(), []);
    // The preference counts more than what the browser remembers.
    await setLanguage('en');
    await own.go('/');
    await heading(own.page, 'Overview').waitFor();
    await setLanguage('');
  });

  it('uses the width of a large screen', async () => {
    const { page } = visit;
    const width = 2560;
    await page.setViewportSize({ width, height: 1300 });
    for (const path of ['/', '/servers', '/servers/1001', '/security']) {
      await visit.follow(path);
      await visit.settle();
      const right = await page.evaluate<number>(
        `Math.max(...[...document.querySelectorAll('main .mantine-Card-root, main [role="table"], main table')].map((element) => element.getBoundingClientRect().right))`,
      );
      assert.ok(right > 0.9 * width, `${path} ends at ${right}`);
    }
  });

  it('lists servers as cards up to the width at which rows of tables become cards', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 768, height: 1024 });
    await visit.go('/servers');
    await visit.settle();
    await page.getByRole('link', { name: 'web1.example.net' }).waitFor();
    assert.equal(await page.getByRole('table').count(), 0);
  });

  it('has a keyboard for the screen of a virtual machine on a phone, and tables that fit', async () => {
    await using phone = await panel.visit({ width: 390, height: 844, isTouch: true });
    const { page } = phone;
    await phone.holdKey('customer', panel.server.lab.customer.key);
    await phone.go('/servers/2001#console');
    await page.getByText('Connected', { exact: true }).waitFor();
    const { screen } = panel.server.equipment.hypervisor.simulator.machines.get('vm-101')!;
    const isShown = (text: RegExp) => until(() => text.test(screen.text()), { saw: () => screen.text() });
    await isShown(/login: /);
    // It takes input once it is drawn, which may be some time after it is connected.
    await page.getByRole('img', { name: /^Console of/ }).waitFor();
    await button(page, 'Keyboard').tap();
    await page.keyboard.insertText('ab');
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText('da');
    await isShown(/login: ada/);
    assert.deepEqual(await phone.accessibilityProblems(), []);

    await phone.follow('/servers/1001#network');
    const table = page.getByRole('table', { name: 'Netblocks' });
    await table.waitFor();
    const clipped = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main table')].filter((table) => table.getBoundingClientRect().right > innerWidth).map((table) => table.getAttribute('aria-label'))`,
    );
    assert.deepEqual(clipped, []);
  });

  it('shows staff who did something by name, and amounts with the currency of their customer', async () => {
    const { email, password, key } = panel.server.lab.customer;
    await requestResult(panel.server, 'POST', '/v2/session', { params: { email, password } });
    await requestResult(panel.server, 'POST', '/v2/dns/domain', { key, params: { domain: 'names.net' } });
    await using staff = await panel.visit({ width: 390, height: 860 });
    await staff.holdKey('staff', panel.server.lab.operator.key);
    await staff.go('/staff/audit');
    await staff.page.getByText('Winter Hosting created the zone names.net').waitFor();
    const signIn = staff.page.getByText('Winter Hosting signed in', { exact: true }).first();
    await signIn.waitFor();
    await staff.page.getByRole('combobox', { name: 'Result' }).fill('unauth');
    await staff.page.getByRole('option', { name: 'Unauthenticated' }).click();
    await signIn.waitFor({ state: 'hidden' });
    await staff.follow('/staff/invoices');
    await staff.page.getByRole('cell', { name: '118.58 EUR' }).waitFor();
    await staff.follow('/staff/invoices#1');
    await dialog(staff.page, 'Invoice')
      .getByText(/Bank transfer LAB-TX-1 · 137\.94 EUR/)
      .waitFor();
    await staff.follow('/staff/addresses');
    const block = staff.page.getByRole('row').filter({ hasText: '203.0.113.11/32' });
    await block.getByText('Winter Hosting').waitFor();
    // A phone shows no names of columns that have nothing for the block.
    assert.equal(await block.getByRole('cell').count(), 3);
    await staff.follow('/staff/switches/dc01sw01');
    const port = staff.page.getByRole('row').filter({ hasText: 'web1.example.net' });
    await port.getByRole('link', { name: 'Winter Hosting' }).waitFor();
    assert.deepEqual(await staff.accessibilityProblems(), []);
  });

  it('names no key in the audit log for what was done in a session', async () => {
    const { page } = visit;
    const { email, password } = panel.server.lab.customer;
    await requestResult(panel.server, 'POST', '/v2/session', { params: { email, password } });
    await visit.go('/audit');
    const signIn = page
      .getByRole('row')
      .filter({ hasText: /signed in/ })
      .filter({ hasText: 'Success' });
    await signIn.first().waitFor();
    assert.doesNotMatch(await signIn.first().innerText(), /Key \d/);
  });

  it('shows staff that an account is going to be erased, and cancels that', async () => {
    const account = await createAccount(panel.server);
    await using staff = await panel.visit();
    await staff.holdKey('staff', panel.server.lab.operator.key);
    const { page } = staff;
    await staff.go(`/staff/customers/${account}#privacy`);
    const { firstname, lastname } = accountFields();
    const name = `${firstname} ${lastname}`;
    await button(page, 'Request erasure').click();
    const request = dialog(page, `Erase account ${account} of ${name}?`);
    await request.getByLabel('Reason').fill('Letter of today');
    await request.getByLabel(`Type ${name} to confirm`).fill(name);
    await button(page, 'Request erasure').last().click();
    await page.getByText(/The account will be erased .*Letter of today/).waitFor();
    assert.deepEqual(await staff.accessibilityProblems(), []);
    await button(page, 'Cancel erasure').click();
    await button(page, 'Cancel erasure').waitFor({ state: 'hidden' });
  });
});
