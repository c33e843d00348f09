// A server with a name of the provider's choice, as its customer and staff see it in the panel.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { openPanelOn, type Panel } from '#test/support/panel.ts';
import { request, requestResult, type ErrorResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const server = 'ams1-r12_srv034.b';
const alias = 'dc00r00ds00-01';
const service = '1905';

describe('a server with an unusual name in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp({ trustedProxies: ['127.0.0.1'] })));
    const { parts, site } = panel.server;
    const place = { rack: 'Row 9', unit: 3 };
    const common = { customer: 1, type: 'dedicated', name: 'Own', hostname: 'own.example.net' } as const;
    await applySite(parts, {
      ...site,
      racks: [...site.racks!, { name: 'Row 9' }],
      servers: [...site.servers!, { name: server.toUpperCase(), bmc: site.servers![0]!.bmc, ...place }],
      services: [...site.services!, { ...common, id: Number(service), ip: '203.0.113.205', server }],
    });
  });

  it('is found by it, and its null routes are managed although the legacy API has another name for it', async () => {
    const { customer } = panel.server.lab;
    await using visit = await panel.visit();
    const { page } = visit;
    await visit.holdKey('customer', customer.key);
    await visit.go('/servers');
    await page.getByLabel('Search servers').fill('SRV034.b');
    await page.getByText('own.example.net').first().click();
    await page.getByText(`${server} (${alias} in the legacy API)`).waitFor();
    await page.getByRole('tab', { name: 'Network' }).click();
    await page.getByText('No switch ports').waitFor();
    await page.getByText('No null routes').waitFor();
    await page.getByRole('button', { name: 'Add null route', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Add null route' });
    await dialog.getByLabel('IP address').and(page.locator('input')).fill('203.0.113.205');
    await page.getByRole('option', { name: '203.0.113.205' }).click();
    await dialog.getByRole('button', { name: 'Add null route' }).click();
    await page.getByRole('table', { name: 'Null routes' }).getByText('203.0.113.205').waitFor();
    const routes = await requestResult<{ ip: string }[]>(panel.server, 'POST', '/network/nullroute', {
      key: customer.key,
      form: { server: alias },
    });
    assert.deepEqual(
      routes.map(({ ip }) => ip),
      ['203.0.113.205'],
    );
  });

  it('is locked by staff, at an address that names it', async () => {
    await using visit = await panel.visit();
    const { page } = visit;
    await visit.holdKey('staff', panel.server.lab.operator.key);
    await visit.go('/staff/racks');
    await page.getByRole('button', { name: new RegExp(server) }).click();
    const drawer = page.getByRole('dialog', { name: server });
    await drawer.getByText(alias).waitFor();
    await page.reload();
    await drawer.getByRole('link', { name: 'own.example.net' }).waitFor();
    await drawer.getByRole('button', { name: 'Lock', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Lock ${server}?` });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('A fan is replaced.');
    await dialog.getByRole('button', { name: 'Lock', exact: true }).click();
    await page.getByText(`${server} locked`, { exact: true }).waitFor();
    const { body } = await request<{ result: ErrorResult }>(panel.server, 'POST', '/v2/device/power', {
      key: panel.server.lab.customer.key,
      params: { service, action: 'on' },
    });
    assert.equal(body.result.code, 'device_held');
  });
});
