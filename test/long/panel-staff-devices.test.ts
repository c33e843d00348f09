// A device's page for staff: they act as its customer could, after giving a reason that the customer reads.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { OperatorRole } from '#contract/roles.ts';
import { labHypervisorName } from '#lab/hypervisor/machines.ts';
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

  it('can be one that a hypervisor had before, which staff give to a customer with its addresses', async () => {
    const { server } = panel;
    const node = labHypervisorName;
    const shape = { vcpus: 2, memoryMb: 128, diskGb: 3, mac: '52:54:00:00:00:09', networks: [] };
    const network = { addresses: [], nameServers: [], sshKeys: [] };
    const system = { id: 'old', template: 'debian-12', hostname: 'old', rootPassword: 'secret-enough', ...network };
    await server.parts.hypervisors.use(node, ({ machines }) =>
      machines.create('web1', shape, system, AbortSignal.timeout(60_000)),
    );
    const visit = await visitAs('engineer');
    const { page } = visit;
    await visit.go(`/staff/nodes/${node}`);
    const machines = page.getByRole('table', { name: 'Machines without a service' });
    await machines.getByText('web1').waitFor();
    await button(page, 'Adopt').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^2 vCPU · 128 MB memory · 3 GB disk/).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    const pick = async (label: string, option: RegExp): Promise<void> => {
      await dialog.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option }).first().click();
    };
    const { account } = server.lab.customer;
    await pick('Customer', new RegExp(`\\(${account}\\)$`));
    await dialog.getByLabel('Hostname').fill('adopted.example.net');
    await pick('Plan', /^VPS small/);
    await pick('System', /^Debian 12/);
    const addresses = dialog.getByLabel('IP addresses that it uses');
    await addresses.fill('198.18.0.1');
    await button(page, 'Adopt').last().click();
    await dialog.getByText(/within one of your networks/).waitFor();
    await addresses.fill('203.0.113.209, 2001:db8:2:9::/64');
    await button(page, 'Adopt').last().click();
    await page.getByText('Machine adopted').waitFor();
    await machines.waitFor({ state: 'detached' });
    const services = await operatorResult<{ hostname: string; ip: string }[]>(server, 'GET', 'service', { account });
    assert.equal(services.find(({ hostname }) => hostname === 'adopted.example.net')?.ip, '203.0.113.209');
  });

  it('can be viewed by support, but not changed', async () => {
    const { page, go } = await visitAs('support');
    await go(`/staff/device/${device}`);
    await button(page, 'Power off').waitFor();
    assert.match((await button(page, 'Power off').getAttribute('aria-description')) ?? '', /^Your role, support/);
  });
});
