// Backups of a machine in the panel: made, scheduled, restored and deleted.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { needsChromium } from '#test/support/chromium.ts';
import { operatorResult } from '#test/support/operators.ts';
import { openPanel, type Panel, type Visit } from '#test/support/panel.ts';
import { requestResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

/** Transfers only get the time that nothing else uses: on a busy machine, one takes minutes. */
const transferMs = 600_000;

describe('the backups of a machine in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel;
  let visit: Visit;
  before(async () => {
    panel = owned.use(await openPanel());
    visit = owned.use(await panel.visit());
    const { account, key } = panel.server.lab.customer;
    await operatorResult(panel.server, 'POST', 'dunning/resume', { account, reason: 'They pay no more' });
    await visit.holdKey('customer', key);
  });
  const button = (name: string | RegExp) => visit.page.getByRole('button', { name, exact: true });
  const actions = () =>
    requestResult<{ status: string; ended: string }[]>(panel.server, 'GET', '/v2/action', {
      key: panel.server.lab.customer.key,
      params: { service: '2001' },
    });
  const completion = async (): Promise<void> => {
    await until(async () => (await actions()).every(({ ended }) => ended !== ''), { patienceMs: transferMs });
    assert.equal((await actions())[0]!.status, 'Completed');
  };
  const dialog = (name: string) => visit.page.getByRole('dialog', { name });

  it('are made, scheduled, restored after typing the name of the machine, and deleted', async () => {
    const { page } = visit;
    await visit.go('/servers/2001#backups');
    await page.getByText('No backups yet').waitFor();
    await button('Back up now').click();
    await page.getByText('Stored', { exact: true }).waitFor({ timeout: transferMs });
    await page.getByText('Consistent', { exact: true }).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await button('Backup schedule').click();
    await dialog('Backup schedule').getByLabel('Frequency').selectOption('weekly');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await dialog('Backup schedule').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Schedule: Weekly').waitFor();
    await button(/^Restore (?!.*volume$)/).click();
    const question = dialog('Restore vps1.example.net from this backup?');
    await question.getByRole('textbox').fill('vps1.example.net');
    await question.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The machine is being restored').first().waitFor();
    await completion();
    await button(/^Restore .* to a volume$/).click();
    const volume = dialog('Restore to a volume');
    await volume.getByLabel('Name of the new volume').fill('old disk');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await volume.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The volume is being restored').first().waitFor();
    await completion();
    await button(/^New machine from /).click();
    const order = dialog('New machine from a backup');
    await order.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option').first().click();
    await order.getByLabel('Hostname').fill('copy.example.net');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    // They have to pay first; test/api/machine-backups.test.ts orders one.
    const submit = order.getByRole('button', { name: 'Order machine' });
    assert.match((await submit.getAttribute('aria-description')) ?? '', /is overdue/);
    await order.getByRole('button', { name: 'Cancel' }).click();
    await button(/^Delete /).click();
    await dialog('Delete this backup?').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No backups yet').waitFor();
  });
});
