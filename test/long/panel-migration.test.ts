// Staff start the maintenance of a hypervisor, evacuate it and move a machine back, in the panel.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { continueEvacuations } from '#app/machines/evacuation.ts';
import { waitForMachines } from '#app/site/machines.ts';
import { startLabHypervisor, type LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { machineSite, smallMachine } from '#test/support/machine-site.ts';
import { signInOperator } from '#test/support/operators.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

describe('migration in the panel', needsChromium(), () => {
  const owned = suiteResources();
  const token = 'secret-enough';
  let panel: Panel<TestApp>;
  let nodes: LabHypervisor[];
  let visit: Visit;
  before(async () => {
    const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
    const start = async () => owned.use(await startLabHypervisor({ token, timing }));
    nodes = [await start(), await start()];
    const siteNodes = nodes.map(({ address, port }, index) => ({
      name: `hv0${index + 1}`,
      driver: 'lab',
      settings: { address, port, token },
    }));
    const pinned = { ...smallMachine, node: 'hv01' };
    const { site } = machineSite(siteNodes, [pinned, pinned]);
    const open = () => openTestApp({ trustedProxies: ['127.0.0.1'], worksOffJobs: true, site });
    panel = owned.use(await openPanelOn(open));
    await waitForMachines(panel.server.parts, 60_000);
    const { key } = await signInOperator(panel.server, 'engineer');
    visit = owned.use(await panel.visit());
    await visit.holdKey('staff', key);
  });

  it('evacuates a hypervisor and shows what is left', async () => {
    const { page } = visit;
    await visit.go('/staff/nodes/hv01');
    await page.getByRole('button', { name: 'Evacuate', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 machines move to other hypervisors, two at a time, the largest first.').waitFor();
    await dialog.getByLabel('Reason').fill('a new board');
    await dialog.getByRole('button', { name: 'Evacuate', exact: true }).click();
    await page.getByText('Evacuation in progress').waitFor();
    await page.getByRole('table', { name: 'Machines left' }).getByText('vm-101').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await until(async () => (await continueEvacuations(panel.server.parts, AbortSignal.timeout(60_000))) === 0);
    await page.getByText('All machines have moved').waitFor();
    await page.getByText('a new board').waitFor();
    assert.ok(nodes[1]!.machines.has('vm-101'));
    await page.getByRole('button', { name: 'End maintenance' }).click();
    await page.getByRole('button', { name: 'Start maintenance' }).waitFor();
  });

  it('moves a machine back', async () => {
    const { page } = visit;
    await visit.go('/staff/device/vm-101');
    await page.getByRole('button', { name: 'Migrate', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Migrate', exact: true }).click();
    await page.getByText(/Moved here from hv02/).waitFor();
    assert.equal(nodes[0]!.machines.get('vm-101')?.state.power, 'on');
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });
});
