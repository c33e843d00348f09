// Plans in the panel: staff create a plan and a coupon, and a customer redeems it, changes their plan, and cancels a server.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dayText } from '#lib/time.ts';
import type { Methods } from '#sdk/v2.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanel, type Panel, type Visit } from '#test/support/panel.ts';
import { requestResult } from '#test/support/request.ts';

describe('plans in the panel', needsChromium(), () => {
  let panel: Panel;
  before(async () => void (panel = await openPanel()));
  after(() => panel[Symbol.asyncDispose]());

  async function visiting(portal: 'customer' | 'staff', path: string): Promise<Visit> {
    const visit = await panel.visit();
    const { lab } = panel.server;
    await visit.holdKey(portal, portal === 'staff' ? lab.operator.key : lab.customer.key);
    await visit.go(path);
    await visit.settle();
    return visit;
  }
  const press = (visit: Visit, name: string) => visit.page.getByRole('button', { name, exact: true }).last().click();

  it('are created by staff, who cannot edit those of the site file', async () => {
    await using visit = await visiting('staff', '/staff/plans');
    const { page } = visit;
    await page.getByText('From the site file').first().waitFor();
    await press(visit, 'Create plan');
    await page.getByLabel('Name', { exact: false }).fill('Cloud S');
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('8.00');
    await page.getByLabel('Price per hour').fill('0.0125');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await press(visit, 'Create plan');
    await page.getByText('0.0125 per hour, at most 8.00 EUR per month').waitFor();
    await press(visit, 'Create coupon');
    await page.getByLabel('Code').fill('HALF-OFF');
    await page.getByLabel('Discount').fill('50%');
    await press(visit, 'Create coupon');
    await page.getByText('HALF-OFF').waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });

  it('have prices in other currencies, which staff add, edit and remove', async () => {
    await using visit = await visiting('staff', '/staff/plans');
    const { page } = visit;
    const dialogue = page.getByRole('dialog');
    const edit = async () => {
      await page
        .getByRole('row', { name: /Cloud S/ })
        .getByRole('button', { name: 'Edit' })
        .click();
      await dialogue.getByText('Add a currency').waitFor();
    };
    await edit();
    await dialogue.getByRole('combobox', { name: 'Add a currency' }).fill('USD');
    await page.getByRole('option', { name: 'USD' }).click();
    const dollars = dialogue.getByRole('group', { name: 'Prices in USD' });
    assert.deepEqual(await dollars.getByRole('textbox').count(), 2);
    await dollars.getByRole('textbox', { name: 'Price', exact: true }).fill('9,00');
    await dollars.getByRole('textbox', { name: 'Price per hour' }).fill('0.0140');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await press(visit, 'Save');
    await page.getByText('0.0140 per hour, at most 9.00 USD per month').waitFor();
    await edit();
    await dollars.getByRole('textbox', { name: 'Price', exact: true }).fill('9.50');
    await press(visit, 'Save');
    await page.getByText('at most 9.50 USD per month').waitFor();
    await edit();
    await press(visit, 'Remove USD');
    await press(visit, 'Save');
    await page.getByText('9.50 USD').waitFor({ state: 'detached' });
    await page.getByText('at most 8.00 EUR per month').waitFor();
  });

  it('have the size of a virtual machine, which customers then can order', async () => {
    const { server } = panel;
    const options = async () =>
      (
        await requestResult<Awaited<ReturnType<Methods['machineOptions']>>>(server, 'GET', '/v2/machine/options', {
          key: server.lab.customer.key,
        })
      ).plans.find(({ name }) => name === 'VPS M');
    await using visit = await visiting('staff', '/staff/plans');
    const { page } = visit;
    await press(visit, 'Create plan');
    const dialogue = page.getByRole('dialog');
    await dialogue.getByLabel('Name', { exact: false }).first().fill('VPS M');
    await dialogue.getByRole('textbox', { name: 'Price', exact: true }).fill('12.00');
    const machine = dialogue.getByRole('group', { name: 'Virtual machine' });
    await machine.getByLabel('Processors').fill('2');
    await machine.getByLabel('Memory in MB').fill('1024');
    await machine.getByLabel('Customers can order it').click();
    // The disk is missing.
    await press(visit, 'Create plan');
    await machine.getByRole('textbox', { name: 'Disk in GB' }).and(page.locator('[aria-invalid="true"]')).waitFor();
    assert.equal(await options(), undefined);
    await machine.getByLabel('Disk in GB').fill('20');
    await machine.getByRole('combobox', { name: 'Address block' }).click();
    await page.getByRole('option', { name: '/32', exact: true }).click();
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await press(visit, 'Create plan');
    await dialogue.waitFor({ state: 'detached' });
    const { vcpus, memorymb, diskgb } = (await options())!;
    assert.deepEqual([vcpus, memorymb, diskgb], ['2', '1024', '20']);
    await page.getByRole('row', { name: /VPS M/ }).getByRole('button', { name: 'Edit' }).click();
    assert.equal(await machine.getByLabel('Disk in GB').inputValue(), '20');
    await machine.getByLabel('Customers can order it').click();
    await press(visit, 'Save');
    await dialogue.waitFor({ state: 'detached' });
    assert.equal(await options(), undefined);
  });

  it('are changed and cancelled by the customer, with a preview of the invoice', async () => {
    await using visit = await visiting('customer', '/invoices');
    const { page } = visit;
    await press(visit, 'Redeem coupon');
    await page.getByLabel('Code').fill('half-off');
    await press(visit, 'Redeem coupon');
    await page
      .getByText(/Coupon HALF-OFF/)
      .first()
      .waitFor();
    await visit.follow('/servers/1001');
    await visit.settle();
    await press(visit, 'Change plan');
    await page.getByRole('combobox', { name: 'New plan' }).click();
    await page.getByRole('option', { name: 'Dedicated E5' }).click();
    await page.getByText('Total, plus tax').waitFor();
    await press(visit, 'Change plan');
    await page.getByText('Plan changed', { exact: true }).first().waitFor();
    await press(visit, 'Cancel service');
    await press(visit, 'Cancel service');
    await page.getByText('Save your data by then.', { exact: false }).waitFor();
    const plan = await requestResult<{ plan: string; cancelledto: string }>(
      panel.server,
      'GET',
      '/v2/device/plan/1001',
      { key: panel.server.lab.customer.key },
    );
    assert.equal(plan.plan, 'Dedicated E5');
    assert.notEqual(plan.cancelledto, '');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await press(visit, 'Withdraw cancellation');
    await press(visit, 'Withdraw cancellation');
    await page.getByRole('button', { name: 'Cancel service' }).waitFor();
  });

  it('of which new prices show on the server, and whose cancelled services staff hold and release', async () => {
    const { server } = panel;
    const asStaff = (method: 'POST' | 'PUT', path: string, params: Record<string, unknown>) =>
      requestResult(server, method, `/operator/${path}`, { key: server.lab.operator.key, params });
    await asStaff('POST', 'plan', { name: 'Metal M', price: '50.00' });
    await asStaff('PUT', 'service/plan', { id: 1001, plan: 'Metal M' });
    await asStaff('PUT', 'plan', { name: 'Metal M', price: '55.00' });
    await asStaff('POST', 'plan/apply', { name: 'Metal M', from: dayText(Date.now() + 60 * 86_400_000) });
    await using customer = await visiting('customer', '/servers/1001');
    await customer.page.getByText('New prices').waitFor();
    assert.deepEqual(await customer.accessibilityProblems(), []);
    await asStaff('POST', 'service/cancellation', { id: 1001, reason: 'moves out' });
    await using staff = await visiting('staff', '/staff/plans');
    const { page } = staff;
    await press(staff, 'Hold');
    await page.getByRole('textbox', { name: 'Reason' }).fill('dispute');
    await press(staff, 'Hold');
    await page.getByText('Held: dispute').waitFor();
    assert.deepEqual(await staff.accessibilityProblems(), []);
    await press(staff, 'Release');
    await press(staff, 'Release');
    await page.getByText('Termination released').waitFor();
  });
});
