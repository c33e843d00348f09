// Staff work on a customer's money in the panel: a payment, a credit note for a line, a write-off, a hold of dunning, and
// the reports.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { issueInvoice } from '#app/billing/issue.ts';
import { dayMs } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { createAccount, operatorResult, signInOperator } from '#test/support/operators.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('the money of a customer in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let visit: Visit;
  let account: string;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp({ trustedProxies: ['127.0.0.1'] })));
    visit = owned.use(await panel.visit());
    await visit.holdKey('staff', (await signInOperator(panel.server, 'billing')).key);
    account = await createAccount(panel.server);
    const { parts } = panel.server;
    const line = { type: 'Hosting', service: undefined, isTaxed: false } as const;
    const lines = [
      { ...line, description: 'First month', cents: 10_000 },
      { ...line, description: 'Second month', cents: 5000 },
    ];
    const draft = { now: parts.clock.now() - 40 * dayMs, lines };
    await parts.store.transaction((queries) => issueInvoice(queries, Number(account) as AccountId, draft));
  });
  const balance = () => operatorResult<Record<string, string>>(panel.server, 'GET', 'ledger/balance', { account });

  it('is recorded, credited and written off, each after its confirmation', async () => {
    const { page } = visit;
    await visit.go(`/staff/customers/${account}#money`);
    await page.getByRole('button', { name: 'Record payment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount in').fill('30.00');
    await dialog.getByLabel('Reference').fill('statement 7');
    await dialog.getByRole('button', { name: 'Record payment' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Paid: Bank transfer').waitFor();
    await page.getByRole('button', { name: 'Hold dunning' }).click();
    await dialog.getByLabel('Reason').fill('Promised to pay');
    await dialog.getByRole('button', { name: 'Hold dunning' }).click();
    await page.getByText(/On hold since .* Promised to pay/).waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);

    await visit.follow('/staff/invoices');
    const [{ invoicenum }] = await operatorResult<[{ invoicenum: string }]>(panel.server, 'GET', 'invoice', {
      account,
    });
    await page.getByRole('searchbox').fill(invoicenum);
    await page.getByRole('table').getByRole('button', { name: invoicenum }).click();
    await page.getByRole('button', { name: 'Issue credit note' }).click();
    const note = page.getByRole('dialog', { name: `Credit note for ${invoicenum}` });
    await note.getByText('Single lines').click();
    await note.getByLabel('Second month').check();
    await note.getByLabel('Amount without tax').fill('20.00');
    await note.getByLabel('Reason').fill('Too much');
    await note.getByLabel(`Type ${invoicenum} to confirm`).fill(invoicenum);
    await note.getByRole('button', { name: 'Issue credit note' }).click();
    await note.waitFor({ state: 'hidden' });
    assert.equal((await balance())['receivable'], '100.00');

    await page.getByRole('button', { name: 'Write off' }).click();
    const loss = page.getByRole('dialog', { name: `Write off ${invoicenum}?` });
    await loss.getByLabel('Reason').fill('Insolvent');
    await loss.getByLabel(`Type ${invoicenum} to confirm`).fill(invoicenum);
    await loss.getByRole('button', { name: 'Write off' }).click();
    await loss.waitFor({ state: 'hidden' });
    assert.equal((await balance())['writtenoff'], '100.00');
  });

  it('is in the reports, which can be downloaded', async () => {
    const { page } = visit;
    await visit.follow('/staff/receivables');
    await page.getByRole('img', { name: /Receivables by age in EUR/ }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    assert.match((await download).suggestedFilename(), /^receivables-.*\.csv$/);
    assert.deepEqual(await visit.accessibilityProblems(), []);
    await visit.follow('/staff/revenue');
    await page.getByRole('img', { name: /Revenue by month and plan/ }).waitFor();
    await page.getByText('By kind of line').click();
    await page.getByRole('cell', { name: 'Hosting' }).first().waitFor();
    assert.deepEqual(await visit.accessibilityProblems(), []);
  });
});
