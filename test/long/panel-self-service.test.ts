// What customers do for themselves in the panel: labels, filters and actions on several servers, SSH keys, sessions,
// recovery codes and preferences.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { codeOf } from '#test/support/operators.ts';
import { createLimitedContact } from '#test/support/limited-contacts.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { requestResult } from '#test/support/request.ts';
import { createSshKey } from '#test/support/ssh-keys.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('self-service in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let visit: Visit;
  let page: Page;
  before(async () => {
    const start = () => openTestApp({ worksOffJobs: true, trustedProxies: ['127.0.0.1'] });
    panel = owned.use(await openPanelOn(start));
    visit = owned.use(await panel.visit());
    ({ page } = visit);
    page.setDefaultTimeout(15_000);
    const { email, password } = panel.server.lab.customer;
    await visit.go('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const read = <Result>(path: string): Promise<Result> =>
    requestResult<Result>(panel.server, 'GET', path, { key: panel.server.lab.customer.key });

  it('shows the system, place, price and next invoice of a server, and keeps its labels', async () => {
    await visit.go('/servers/1001');
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText(/€\d+\.\d\d per month, plus tax/).waitFor();
    assert.match(await details.innerText(), /Installed system.*Data centre.*Created.*Next invoice/s);
    const labels = page.getByRole('region', { name: 'Labels' });
    const input = labels.getByRole('combobox', { name: 'Labels' });
    for (const label of ['web', 'prod']) {
      await input.fill(label);
      await input.press('Enter');
    }
    await labels.getByRole('button', { name: 'Save labels' }).click();
    await page.getByText('Labels saved').waitFor();
    const [device] = await read<{ labels: string }[]>('/v2/device/list?service=1001');
    assert.equal(device!.labels, 'prod,web');
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });

  it('filters by label, saves the filter, and acts on several servers with one result for each', async () => {
    await visit.go('/servers#label=prod');
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'Active' }).first().waitFor();
    assert.equal(await rows.filter({ hasText: 'Active' }).count(), 1);
    await button('Save filter').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Production');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await button('Production').waitFor();
    await visit.go('/servers');
    await button('Saved filters').click();
    await page.getByRole('menuitem', { name: 'Production' }).click();
    await page.waitForURL(/#label=prod$/);

    await visit.go('/servers');
    await page.getByRole('checkbox', { name: /^Select all \d+ servers$/ }).check();
    await button('Labels').click();
    const dialog = page.getByRole('dialog', { name: 'Change labels' });
    await dialog.getByRole('combobox', { name: 'Add labels' }).fill('fleet');
    await dialog.getByRole('combobox', { name: 'Add labels' }).press('Enter');
    await dialog.getByRole('button', { name: 'Change labels' }).click();
    await dialog.getByRole('status').waitFor();
    const servers = await read<{ status: string; labels: string }[]>('/v2/device/list');
    const labelled = servers.filter(({ labels }) => labels.split(',').includes('fleet')).length;
    const shown = (await dialog.getByRole('listitem').allInnerTexts()).filter((text) => text.endsWith('Done')).length;
    assert.ok(labelled > 1);
    assert.equal(shown, labelled);
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  });

  it('offers a saved SSH key at a reinstall', async () => {
    const key = createSshKey('ada@laptop');
    await visit.go('/ssh-keys');
    await button('Add SSH key').click();
    await page.getByRole('dialog').getByLabel('Public key').fill(key);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'ada@laptop', exact: true }).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await visit.go('/servers/1001#install');
    await page.getByRole('combobox', { name: 'Saved SSH keys' }).first().click();
    await page.getByRole('option', { name: 'ada@laptop' }).first().waitFor();
  });

  it('lets a contact limit one with more permissions, which stay as they are', async () => {
    const services = ['1001', '2001'];
    const manager = await createLimitedContact(panel.server, services);
    const other = await createLimitedContact(panel.server, services);
    const read = (path: string) =>
      requestResult<Record<string, string>[]>(panel.server, 'GET', path, { key: panel.server.lab.customer.key });
    const settings = { id: manager.id, permissions: ['account:read', 'account:write', 'account:keys', 'device:read'] };
    await requestResult(panel.server, 'PUT', '/v2/account/contact/settings', {
      key: panel.server.lab.customer.key,
      params: settings,
    });
    const before = (await read(`/v2/account/contact?id=${other.id}`))[0]!;
    await using limited = await panel.visit();
    await limited.holdKey('customer', manager.session);
    await limited.go('/contacts');
    const row = limited.page.getByRole('row').filter({ hasText: before['email']! });
    await row.getByRole('button', { name: 'Permissions of Anna Berg' }).click();
    const dialog = limited.page.getByRole('dialog', { name: /Anna Berg/ });
    await dialog.getByRole('combobox', { name: 'Limit to servers' }).press('Backspace');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('Only 1 server', { exact: true }).waitFor();
    const after = (await read(`/v2/account/contact?id=${other.id}`))[0]!;
    assert.deepEqual(after, { ...before, services: '1001' });
    for (const { id } of [manager, other])
      await requestResult(panel.server, 'DELETE', '/v2/account/contact', {
        key: panel.server.lab.customer.key,
        params: { id },
      });
  });

  it('limits a contact to one server, who then sees no other', async () => {
    const { id, session } = await createLimitedContact(panel.server, ['1001', '2001']);
    await visit.go('/contacts');
    const row = page.getByRole('row').filter({ hasText: 'Anna Berg' });
    await row.getByText('Only 2 servers').waitFor();
    await row.getByRole('button', { name: 'Permissions of Anna Berg' }).click();
    const dialog = page.getByRole('dialog', { name: /Anna Berg/ });
    const servers = dialog.getByRole('combobox', { name: 'Limit to servers' });
    // Removes the last one.
    await servers.press('Backspace');
    await servers.fill('db1');
    await page.getByRole('option', { name: /^db1\.example\.net/ }).waitFor();
    await servers.fill('');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('Only 1 server', { exact: true }).waitFor();
    const [contact] = await read<{ services: string }[]>(`/v2/account/contact?id=${id}`);
    assert.equal(contact!.services, '1001');
    await using limited = await panel.visit();
    await limited.holdKey('customer', session);
    await limited.go('/servers');
    await limited.page.getByRole('link', { name: 'web1.example.net' }).waitFor();
    assert.equal(await limited.page.getByRole('link', { name: /\.example\.net$/ }).count(), 1);
    await limited.go('/servers/2001');
    await limited.page.getByText('Server not found').waitFor();
  });

  it('creates recovery codes, shows them once and how many are left, and lists sessions', async () => {
    const { password } = panel.server.lab.customer;
    await visit.go('/security');
    await page
      .getByRole('region', { name: 'Sessions' })
      .getByText(/Chrome \d+ on Linux/)
      .first()
      .waitFor();
    await button('Set up').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const secret = (await dialog.getByLabel('Or enter this key manually').innerText()).trim();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(panel.server, secret));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await button('Create recovery codes').click();
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const codes = (await dialog.getByLabel('Recovery codes').innerText()).trim().split('\n');
    assert.equal(codes.length, 10);
    await dialog.getByRole('button', { name: 'Done, I saved it' }).click();
    await page.getByText('10 left').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });

  it('shows times in the chosen zone and format everywhere', async () => {
    await visit.go('/profile');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByRole('combobox', { name: 'Date format' }).click();
    await page.getByRole('option', { name: /^2026-01-31/ }).click();
    await page.getByRole('region', { name: 'Language, dates and times' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Preferences saved').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await visit.go('/servers/1001');
    const facts = await read<{ created: string }>('/v2/device/facts/1001');
    const tokyo = new Date(Date.parse(`${facts.created.replace(' ', 'T')}Z`) + 9 * 3_600_000).toISOString();
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText(tokyo.slice(0, 19).replace('T', ' '), { exact: true }).first().waitFor();
  });
});
