// A device's page for staff: they act as its customer could, after giving a reason that the customer reads.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { OperatorRole } from '#contract/roles.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { operatorResult, signInOperator } from '#test/support/operators.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

describe('a device for staff', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  const device = 'dc01r01ds01';
  before(async () => {
    const open = () => openTestApp({ trustedProxies: ['127.0.0.1'], worksOffJobs: true });
    panel = owned.use(await openPanelOn(open));
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const power = () => operatorResult<string>(panel.server, 'GET', `device/power/${device}`);
  async function visitAs(role: OperatorRole): Promise<Visit> {
    const { key } = await signInOperator(panel.server, role);
    const visit = owned.use(await panel.visit());
    await visit.holdKey('staff', key);
    return visit;
  }

  it('is operated by an engineer once there is a reason, which the customer reads', async () => {
    const visit = await visitAs('engineer');
    const { page } = visit;
    await visit.go(`/staff/device/${device}`);
    await page.getByRole('heading', { level: 1, name: device }).waitFor();
    await page.getByText('You act as staff on a customer’s device.').waitFor();
    assert.equal(await button(page, 'Power off').getAttribute('aria-description'), 'Enter a reason first.');
    await page.getByLabel('Reason for your changes').fill('Ticket 4711');
    await button(page, 'Start working').click();
    const action = (await power()) === 'on' ? 'Power off' : 'Power on';
    await button(page, action).click();
    if (action === 'Power off') await page.getByRole('dialog').getByRole('button', { name: 'Power off' }).click();
    await until(async () => (await power()) === (action === 'Power off' ? 'off' : 'on'));
    assert.deepEqual(await visit.accessibilityProblems(), []);
    const customer = owned.use(await panel.visit());
    await customer.holdKey('customer', panel.server.lab.customer.key);
    await customer.go('/audit');
    await customer.page
      .getByText(/Ticket 4711/)
      .first()
      .waitFor();
  });

  it('has its switch port, which is disabled after a question, and its traffic', async () => {
    const visit = await visitAs('engineer');
    const { page } = visit;
    await visit.go(`/staff/device/${device}#network`);
    await page.getByText('95th percentile this month').waitFor();
    await page.getByRole('table', { name: 'Switch ports' }).getByText(device).first().waitFor();
    await page.getByLabel('Reason for your changes').fill('Ticket 4713');
    await button(page, 'Start working').click();
    await button(page, 'Disable port').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable port' }).click();
    await button(page, 'Enable').click();
    await button(page, 'Disable port').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });

  it('has its console, sensors and history', async () => {
    const visit = await visitAs('engineer');
    const { page } = visit;
    await visit.go(`/staff/device/${device}#history`);
    await page.getByRole('table', { name: 'Customers' }).getByText('Now').waitFor();
    await page.getByRole('tab', { name: 'Sensors' }).click();
    await page.getByText(/Last read/).waitFor();
    await page.getByRole('tab', { name: 'Console' }).click();
    await page.getByText('The console is not available. Enter a reason first.').waitFor();
    await page.getByLabel('Reason for your changes').fill('Ticket 4712');
    await button(page, 'Start working').click();
    await page.getByRole('status').getByText('Connected').waitFor();
  });

  it('can be viewed by support, but not changed', async () => {
    const { page, go } = await visitAs('support');
    await go(`/staff/device/${device}`);
    await button(page, 'Power off').waitFor();
    assert.match((await button(page, 'Power off').getAttribute('aria-description')) ?? '', /^Your role, support/);
  });
});
