// Volumes and usage of a virtual machine in the panel.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { machineSampling } from '#reconcilers/machine-samples.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('a machine in the panel', { ...needsChromium(), concurrency: 1 }, () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let visit: Visit;
  let page: Page;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp({ worksOffJobs: true, trustedProxies: ['127.0.0.1'] })));
    visit = owned.use(await panel.visit());
    ({ page } = visit);
    page.setDefaultTimeout(20_000);
    const { email, password } = panel.server.lab.customer;
    await visit.go('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');

  it('gets a volume, which grows, is detached and is deleted', async () => {
    await visit.go('/servers/2001#volumes');
    await page.getByText('No volumes yet').waitFor();
    await button('Create volume').click();
    await dialog().getByLabel('Name').fill('data');
    await dialog().getByLabel('Size in GB').fill('20');
    await dialog().getByRole('button', { name: 'Create volume', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'data' });
    await row.getByText('Attached').waitFor();
    assert.match(await row.innerText(), /20 GB[^]*\/dev\/disk\/by-id\/virtio-vol-\d+/);
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await button('Resize data').click();
    await dialog().getByLabel('Size in GB').fill('30');
    await dialog().getByRole('button', { name: 'Resize', exact: true }).click();
    await row.getByText('30 GB').waitFor();
    await button('Detach data').click();
    await dialog().getByRole('button', { name: 'Detach', exact: true }).click();
    await row.getByText('Detached').waitFor();
    await button('Delete data').click();
    await dialog().getByRole('textbox').fill('data');
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await row.getByText('Being deleted').waitFor();
  });

  it('has its volumes on the page of all volumes, where they are created, detached and attached again', async () => {
    await visit.go('/volumes');
    await button('Create volume').click();
    await dialog().getByLabel('Name').fill('archive');
    await dialog().getByLabel('Size in GB').fill('15');
    await dialog().getByRole('button', { name: 'Create volume', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'archive' });
    await row.getByText('Attached', { exact: true }).waitFor();
    const host = await row.getByRole('link').innerText();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await button('Detach archive').click();
    await dialog().getByRole('button', { name: 'Detach', exact: true }).click();
    await row.getByText('Detached').waitFor();
    await button('Attach archive').click();
    assert.equal(await dialog().getByRole('combobox', { name: 'Machine' }).inputValue(), host);
    await dialog().getByRole('button', { name: 'Attach', exact: true }).click();
    await row.getByText('Attached', { exact: true }).waitFor();
    await row.getByRole('link', { name: host }).click();
    await page.getByRole('heading', { level: 1, name: host }).waitFor();
  });

  it('shows what it used, and zooms in when its user drags over a chart', async () => {
    const { server } = panel;
    const sampling = machineSampling(server.parts);
    for (let minute = 0; minute < 150; minute++) {
      await sampling.run(AbortSignal.timeout(60_000));
      server.pass(61_000);
      server.equipment.hypervisor.simulator.pass(61_000);
    }
    await page.clock.setFixedTime(server.parts.clock.now());
    await visit.go('/servers/2001#usage');
    const chart = page.getByRole('img', { name: /^CPU: average/ });
    await chart.waitFor();
    const { x, y, width } = (await chart.boundingBox())!;
    await page.mouse.move(x + width * 0.5, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.99, y + 20, { steps: 5 });
    await page.mouse.up();
    await button('Reset zoom').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await button('Reset zoom').click();
    await page.getByText('Drag over the graph to zoom').waitFor();
  });
});
