// The work of staff in the panel: a customer's page, the search, provisioning by picking, licence keys, failed work and
// background sync.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { createFailedJob } from '#test/support/failed-job.ts';
import { operatorResult, signInOperator } from '#test/support/operators.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { requestResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('the work of staff in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let visit: Visit;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp({ trustedProxies: ['127.0.0.1'] })));
    visit = owned.use(await panel.visit());
    const owner = await signInOperator(panel.server, 'owner');
    await visit.holdKey('staff', owner.key);
  });
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name }).click();

  it('shows everything about a customer on one page, and records a note that only staff see', async () => {
    const { page } = visit;
    const { account } = panel.server.lab.customer;
    await visit.go(`/staff/customers/${account}`);
    await button(page, 'Add note').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New note').fill('Prefers calls before noon');
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await tab(page, 'Notes');
    await page.getByText('Prefers calls before noon').waitFor();
    const note = page.getByRole('article').first();
    await note.getByRole('button', { name: 'Edit note' }).click();
    await note.getByLabel('Note', { exact: true }).fill('Prefers calls after noon');
    await note.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Prefers calls after noon').waitFor();
    await tab(page, 'Invoices & payments');
    await page.getByRole('button', { name: 'LAB-0002' }).click();
    await page.getByRole('dialog').getByText('Amount due').waitFor();
    await page.keyboard.press('Escape');
    for (const [name, region] of [
      ['Requests', /No requests|Requests/],
      ['Email', /No messages yet|Messages/],
      ['People & sign-ins', 'Contacts'],
      ['Events', /No activity yet|Events/],
    ] as const) {
      await tab(page, name);
      await page.getByRole('tabpanel').getByText(region).first().waitFor();
    }
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });

  it('closes the form of a customer when someone goes to another', async () => {
    const { page } = visit;
    const { customer, stranger } = panel.server.lab;
    await visit.go(`/staff/customers/${stranger.account}`);
    await page.getByText(`Customer ${stranger.account}`).first().waitFor();
    await visit.settle();
    await visit.follow(`/staff/customers/${customer.account}`);
    await page.getByText(`Customer ${customer.account}`).first().waitFor();
    await button(page, 'Edit').click();
    await page.getByRole('dialog').getByLabel('First name').waitFor();
    await page.goBack();
    await page.getByText(`Customer ${stranger.account}`).first().waitFor();
    await visit.settle();
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('finds an address inside a block from any page', async () => {
    const { page } = visit;
    const { dedicated } = panel.server.lab;
    await visit.go('/staff/audit');
    await heading(page, 'Audit log').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search' }).fill(dedicated.ips[1]!);
    await page.getByText(`Service ${dedicated.service} ·`).click();
    await page.getByRole('dialog', { name: `Service ${dedicated.service}` }).waitFor();
  });

  it('provisions a service by picking, with a preview of its addresses and invoices', async () => {
    const { page } = visit;
    const { account } = panel.server.lab.customer;
    await visit.go('/staff/services');
    await button(page, 'New service').click();
    const dialog = page.getByRole('dialog', { name: 'New service' });
    await dialog.getByText('VPS', { exact: true }).click();
    const pick = async (label: string, option: string | RegExp, text?: string): Promise<void> => {
      const input = dialog.getByRole('combobox', { name: label });
      await input.click();
      if (text !== undefined) await input.fill(text);
      await page.getByRole('option', { name: option }).first().click();
    };
    await pick('Customer', new RegExp(`\\(${account}\\)`), account);
    await pick('Plan', /^VPS small/);
    assert.equal(await dialog.getByRole('combobox', { name: 'Memory' }).inputValue(), '1 GB', 'the size of the plan');
    await dialog.getByLabel('Hostname').fill('picked.example.net');
    await pick('System', /./);
    await pick('Hypervisor', /memory and .* free/);
    const preview = dialog.getByRole('group', { name: 'Preview' });
    await preview.getByText('First invoice').waitFor();
    const shown = await preview.innerText();
    const [netblock] = /\d+\.\d+\.\d+\.\d+\/32/.exec(shown)!;
    assert.match(shown, /Next invoice/);
    const before = await operatorResult<{ hostname: string }[]>(panel.server, 'GET', 'service', { account });
    assert.ok(!before.some(({ hostname }) => hostname === 'picked.example.net'), 'the preview provisioned it');
    await dialog.getByRole('button', { name: 'Provision' }).click();
    const drawer = page.getByRole('dialog', { name: /Service \d+/ });
    await drawer.getByText(netblock).first().waitFor();
  });

  it('delivers a licence key', async () => {
    const { page } = visit;
    const { customer, dedicated } = panel.server.lab;
    const params = { service: dedicated.service, type: 'Dedicated', license: 'DEDICATED_PANEL1' };
    const { orderid } = await requestResult<{ orderid: string }>(panel.server, 'POST', '/software/order', {
      key: customer.key,
      params,
    });
    await visit.go('/staff/licences');
    await button(page, `Enter the key of order ${orderid}`).click();
    await page.getByLabel('Licence key').fill('KEY-FROM-STAFF');
    await button(page, 'Deliver').click();
    await page.getByText('No orders are waiting').waitFor();
    const installed = await requestResult<{ key: string }[]>(
      panel.server,
      'GET',
      `/v2/device/license/${dedicated.service}`,
      { key: customer.key },
    );
    assert.ok(
      installed.some(({ key }) => key === 'KEY-FROM-STAFF'),
      JSON.stringify(installed),
    );
  });

  it('shows failed work with its error, and which task of background sync is late', async () => {
    const { page } = visit;
    await createFailedJob(panel.server.parts);
    const now = panel.server.parts.clock.now();
    await panel.server.parts.store.queries
      .insertInto('reconcilers')
      .values({
        name: 'story-sync',
        run_at: now - 3_600_000,
        signals: 0,
        holder: 'instance-7',
        lease_until: 0,
        last_success_at: now - 3_660_000,
        last_duration_ms: 5,
        last_error: 'The router did not respond.',
        backlog: 2,
      })
      .execute();
    await visit.go('/staff/work');
    await page.getByText('Failed work').click();
    await page
      .getByRole('table', { name: 'Failed jobs' })
      .getByRole('button', { name: /^Retry/ })
      .waitFor();
    await page.getByRole('link', { name: 'Open the runbook' }).last().click();
    await heading(page, 'Failed background jobs').waitFor();
    await visit.go('/staff/sync');
    const row = page.getByRole('row').filter({ hasText: 'story-sync' });
    await row.waitFor();
    assert.match(await row.innerText(), /Failed[\s\S]*60 min[\s\S]*instance-7[\s\S]*The router did not respond\./);
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });
});
