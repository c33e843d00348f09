// Virtual machines in the panel: a customer orders one, protects it, deletes it and restores it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Methods } from '#sdk/v2.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanel, type Panel } from '#test/support/panel.ts';
import { requestResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

describe('machines in the panel', needsChromium(), () => {
  let panel: Panel;
  before(async () => void (panel = await openPanel()));
  after(() => panel[Symbol.asyncDispose]());

  it('are ordered, protected, deleted and restored by the customer', async () => {
    const { server } = panel;
    const { key } = server.lab.customer;
    const read = <Result>(path: string) => requestResult<Result>(server, 'GET', path, { key });
    const machineNamed = async (hostname: string) =>
      (await read<Awaited<ReturnType<Methods['machineList']>>>('/v2/machine')).find(
        (each) => each.hostname === hostname,
      );
    await until(async () => {
      const { plans } = await read<Awaited<ReturnType<Methods['machineOptions']>>>('/v2/machine/options');
      return plans.some(({ locations }) => locations.length > 0);
    });
    await using visit = await panel.visit();
    const { page } = visit;
    await visit.holdKey('customer', key);
    await visit.go('/servers');
    await page.getByRole('link', { name: 'New machine' }).click();
    await page.getByText('VPS small', { exact: true }).first().click();
    await page.getByRole('combobox', { name: 'Operating system' }).click();
    await page.getByRole('option', { name: /^Debian 12.* machine$/ }).click();
    await page.getByLabel('Hostname').fill('ordered.example.net');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await page.getByRole('button', { name: 'Order machine' }).click();
    await page.getByRole('heading', { name: 'ordered.example.net' }).waitFor();
    await until(async () => (await machineNamed('ordered.example.net'))?.status === 'Active');

    // By the mouse, which notifications would keep from what they cover.
    const protection = page.getByRole('switch', { name: 'Deletion protection', disabled: false });
    await protection.click();
    await until(async () => (await machineNamed('ordered.example.net'))?.protection === 'enabled');
    await protection.click();
    await until(async () => (await machineNamed('ordered.example.net'))?.protection === 'disabled');
    const remove = page.getByRole('button', { name: 'Delete machine' });
    await page.locator('button:not([aria-disabled])', { hasText: 'Delete machine' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('ordered.example.net');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete machine' }).click();
    await page.getByText('Can be restored until', { exact: false }).first().waitFor();
    await remove.waitFor({ state: 'detached' });
    assert.deepEqual(await visit.accessibilityProblems(), []);

    await visit.follow('/servers');
    await page.getByText('Deleted machines').waitFor();
    await until(async () => {
      const { service } = (await machineNamed('ordered.example.net'))!;
      const [action] = await read<Awaited<ReturnType<Methods['actionList']>>>(`/v2/action?service=${service}&limit=1`);
      return action?.status === 'Completed';
    });
    await page.getByRole('button', { name: 'Restore ordered.example.net' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await until(async () => (await machineNamed('ordered.example.net'))?.deleted === '');
  });
});
