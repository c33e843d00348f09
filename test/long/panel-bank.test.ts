// Direct debits in the panel: a customer gives a mandate, staff hand in the file, import a statement and assign what is
// left.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { performSepaWork } from '#app/payments/sepa/work.ts';
import { isBusinessDay } from '#drivers/payment/sepa/business-days.ts';
import { dayMs, dayOf } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { invoiceFind } from '#store/billing/invoices.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { writeBankStatement } from '#test/support/bank-statement.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { issueUntaxed, workOffPayments } from '#test/support/payment-fixtures.ts';
import { requestResult } from '#test/support/request.ts';
import { allowSepa, debtorIban } from '#test/support/sepa-fixtures.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('direct debits in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let customer: Visit;
  let staff: Visit;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp()));
    await allowSepa(panel.server);
    customer = owned.use(await panel.visit());
    await customer.holdKey('customer', panel.server.lab.stranger.key);
    staff = owned.use(await panel.visit());
    await staff.holdKey('staff', panel.server.lab.operator.key);
  });
  const account = () => Number(panel.server.lab.stranger.account) as AccountId;
  const button = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true });
  const text = ({ page }: Visit, words: string | RegExp) => page.getByText(words).first().waitFor();
  const picture = async ({ page }: Visit, name: string) => {
    const folder = process.env['HOSTYARD_TEST_PICTURES'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };
  async function work(): Promise<void> {
    await workOffPayments(panel.server.parts);
    await performSepaWork(panel.server.parts, new AbortController().signal);
  }
  let reference: string;
  let invoice: Awaited<ReturnType<typeof issueUntaxed>>;

  it('a customer gives a mandate, after agreeing to its text', async () => {
    await customer.go('/payments');
    await text(customer, 'Bank account');
    await picture(customer, 'bank-customer');
    await button(customer, 'Add direct debit').click();
    const dialogue = customer.page.getByRole('dialog');
    await dialogue.getByLabel('Account holder').fill('Ada Lovelace');
    await dialogue.getByLabel('IBAN').fill(debtorIban);
    await dialogue.getByRole('checkbox').check();
    await picture(customer, 'bank-mandate');
    await dialogue.getByRole('button', { name: 'Add direct debit' }).click();
    await text(customer, 'SEPA DE•• •••• 3000');
    assert.deepEqual(await customer.accessibilityProblems(), []);
  });

  it('staff record that the file was handed in', async () => {
    const { parts, lab } = panel.server;
    const options = { key: lab.stranger.key };
    const [method] = await requestResult<{ id: string }[]>(panel.server, 'GET', '/v2/payment/method', options);
    invoice = await issueUntaxed(parts, account(), 4200);
    const params = { invoice: invoice.id, method: method!.id };
    await requestResult(panel.server, 'POST', '/v2/payment/invoice', { ...options, params });
    await work();
    do panel.server.pass(dayMs);
    while (!isBusinessDay(dayOf(parts.clock.now())));
    panel.server.pass(2 * dayMs);
    while (!isBusinessDay(dayOf(parts.clock.now())) || parts.clock.now() % dayMs < dayMs / 2)
      panel.server.pass(dayMs / 24);
    await work();
    ({ external_id: reference } = await parts.store.queries
      .selectFrom('payment_charges')
      .select('external_id')
      .executeTakeFirstOrThrow());
    await staff.go('/staff/bank#files');
    await text(staff, /^HY-D-/);
    await picture(staff, 'bank-files');
    const download = staff.page.waitForEvent('download');
    await button(staff, 'Download').click();
    assert.match((await download).suggestedFilename(), /^HY-D-.*\.xml$/);
    await button(staff, 'Mark as handed in').click();
    await text(staff, 'Handed in');
    assert.deepEqual(await staff.accessibilityProblems(), []);
  });

  it('staff import a statement and assign what matches nobody', async () => {
    const lab = { cents: 10_680, text: 'LAB-0005', reference: 'B0' };
    const paid = { cents: 4200, endToEndId: reference, reference: 'B1' };
    const other = { cents: 1500, text: 'for my server', name: 'Bob', iban: debtorIban, reference: 'B2' };
    const xml = writeBankStatement({ bookings: [lab, paid, other] });
    await staff.go('/staff/bank#statements');
    const chooser = staff.page.waitForEvent('filechooser');
    await button(staff, 'Import statement').click();
    await (await chooser).setFiles({ name: 'camt.xml', mimeType: 'text/xml', buffer: Buffer.from(xml) });
    await text(staff, 'Statement imported');
    await work();
    const { queries } = panel.server.parts.store;
    assert.equal((await invoiceFind(queries, account(), invoice.id))!.status, 'Paid');
    await staff.go('/staff/bank#statements');
    await text(staff, '€163.80');
    await picture(staff, 'bank-statements');
    await staff.go('/staff/bank');
    await text(staff, 'for my server');
    await picture(staff, 'bank-unmatched');
    assert.deepEqual(await staff.accessibilityProblems(), []);
    await button(staff, 'Assign').click();
    const dialogue = staff.page.getByRole('dialog');
    await dialogue.getByLabel('Customer').fill(panel.server.lab.customer.email);
    await staff.page.getByRole('option').first().click();
    await dialogue.getByRole('button', { name: 'Assign' }).click();
    await text(staff, 'All bookings are matched');
  });
});
