// Hypervisors, switches, racks and runbooks in the staff's panel, with what the lab's equipment reports.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { labHypervisorName } from '#lab/hypervisor/machines.ts';
import { labSwitchName } from '#lab/network.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('equipment in the staff’s panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let visit: Visit;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp({ trustedProxies: ['127.0.0.1'] })));
    visit = owned.use(await panel.visit());
    await visit.holdKey('staff', panel.server.lab.operator.key);
  });
  const signal = (): AbortSignal => new AbortController().signal;
  const check = async (): Promise<void> => {
    const { queries } = panel.server.parts.store;
    await queries.updateTable('switches').set({ next_poll_at: 0 }).execute();
    await queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
    await trafficPoll(panel.server.parts).run(signal());
    await machineSync(panel.server.parts, async () => {}).run(signal());
  };

  it('leads from the list of hypervisors to a machine and its customer', async () => {
    const { page } = visit;
    await visit.go('/staff/nodes');
    await page.getByRole('row', { name: labHypervisorName }).getByText('Unknown').first().waitFor();
    await check();
    await visit.go('/staff/nodes');
    await page
      .getByRole('row', { name: labHypervisorName })
      .getByText(/of 64 GB free/)
      .waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await page.getByRole('link', { name: labHypervisorName }).click();
    await page.getByRole('heading', { level: 1, name: labHypervisorName }).waitFor();
    await page.getByText('Lab hypervisor 1.0').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await page.getByRole('table', { name: 'Machines' }).getByRole('link', { name: /^vm-/ }).first().click();
    await page.getByRole('heading', { level: 1, name: /^vm-/ }).waitFor();
  });

  it('shows the ports of a switch, and finds one by name', async () => {
    const { page } = visit;
    await check();
    await visit.go('/staff/switches');
    await page.getByRole('row', { name: labSwitchName }).getByText('3 of 4').waitFor();
    await page.getByRole('link', { name: labSwitchName }).click();
    const ports = page.getByRole('table', { name: 'Ports' });
    await ports.getByText('cust-1001 web1').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await page.getByLabel('Search ports').fill('mail');
    await ports.getByText('cust-1001 web1').waitFor({ state: 'hidden' });
    await ports.getByText('cust-1101 mail').waitFor();
  });

  it('says that a silent switch does not respond, and leads to the runbook', async () => {
    const { page } = visit;
    panel.server.equipment.network.simulator.setMalfunctions({ isSilent: true });
    await check();
    panel.server.equipment.network.simulator.setMalfunctions({});
    await visit.go('/staff');
    await page.getByText('1 switch is not responding').click();
    await page.getByRole('heading', { level: 1, name: labSwitchName }).waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'Open the runbook' }).click();
    await page.getByRole('heading', { level: 1, name: 'Equipment down' }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Diagnosis' }).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await page.getByRole('link', { name: 'Runbooks' }).last().click();
    await page.getByRole('link', { name: 'Disk almost full' }).click();
    await page.getByRole('heading', { level: 1, name: 'Disk almost full' }).waitFor();
    await visit.go('/staff/runbook/Nothing');
    await page.getByText('No runbook has this name').waitFor();
  });

  it('shows how much of a rack’s power is known', async () => {
    await visit.go('/staff/racks');
    await visit.page.getByText('Power unknown').first().waitFor();
  });
});
