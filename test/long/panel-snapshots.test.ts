// Snapshots, images and the size of a machine in the panel.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanel, type Panel, type Visit } from '#test/support/panel.ts';
import { requestResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

describe('the snapshots of a machine in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel;
  let visit: Visit;
  before(async () => {
    panel = owned.use(await openPanel());
    visit = owned.use(await panel.visit());
    await visit.holdKey('customer', panel.server.lab.customer.key);
  });
  const button = (name: string | RegExp) => visit.page.getByRole('button', { name, exact: true });
  const dialog = (name: string) => visit.page.getByRole('dialog', { name });
  const read = <T>(path: string, params: Record<string, unknown> = {}) =>
    requestResult<T>(panel.server, 'GET', path, { key: panel.server.lab.customer.key, params });

  it('are taken, restored after typing the name of the machine, and become images', async () => {
    const { page } = visit;
    await visit.go('/servers/2001#snapshots');
    await page.getByText('No snapshots yet').waitFor();
    await button('Take snapshot').click();
    await dialog('Take snapshot').getByLabel('Name').fill('before the upgrade');
    await dialog('Take snapshot').getByRole('button', { name: 'Take snapshot' }).click();
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.getByText('Consistent', { exact: true }).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await button('Restore before the upgrade').click();
    const question = dialog('Restore vps1.example.net from “before the upgrade”?');
    await question.getByText('The current content of the disk is lost', { exact: false }).waitFor();
    await question.getByRole('textbox').fill('vps1.example.net');
    await question.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The machine is being restored').first().waitFor();
    await untilEnded('v2.machineSnapshotRestore');
    await button('Make image from before the upgrade').click();
    await dialog('Make image').getByRole('button', { name: 'Make image' }).click();
    await page.getByText('Images of the account').waitFor();
    await untilEnded('v2.machineImageCreate');
    const [image] = await read<{ name: string; state: string }[]>('/v2/machine/image');
    assert.deepEqual([image!.name, image!.state], ['before the upgrade', 'ready']);
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });

  it('state price and downtime before a resize', async () => {
    const { page } = visit;
    await visit.go('/servers/2001');
    await button('Resize').click();
    await page.getByRole('combobox', { name: 'New size' }).click();
    await page.getByRole('option', { name: 'Cloud 2' }).click();
    await page.getByText('more a month', { exact: false }).waitFor();
    await page.getByText('If the machine is running, it restarts', { exact: false }).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await dialog('Resize').getByRole('button', { name: 'Resize' }).click();
    await untilEnded('v2.machineSizeSet');
    const size = await read<{ plan: string; memorymb: string }>('/v2/machine/size/2001');
    assert.deepEqual([size.plan, size.memorymb], ['Cloud 2', '2048']);
  });

  async function untilEnded(operation: string): Promise<void> {
    const actions = await read<{ id: string; operation: string }[]>('/v2/action', { service: '2001' });
    const { id } = actions.find((action) => action.operation === operation)!;
    let action = { status: '', error: '', ended: '' };
    await until(
      async () => {
        action = await read(`/v2/action/${id}`);
        return action.ended !== '';
      },
      { saw: () => action },
    );
    assert.deepEqual([action.status, action.error], ['Completed', '']);
  }
});
