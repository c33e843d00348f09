// A chargeback after a part of the invoice was credited: the rest is owed again, and the credited part is taken from the credit.
// One of credit that has paid invoices: they are owed again.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { secretBox } from '#lib/secrets.ts';
import { invoiceFind, invoiceLines, invoicesOpen } from '#store/billing/invoices.ts';
import { creditOf } from '#store/billing/ledger.ts';
import { openBillingFixture } from '#test/support/billing-fixtures.ts';
import { issueCreditNote } from '../billing/corrections.ts';
import { issueInvoice } from '../billing/issue.ts';
import { createCharge } from './charges.ts';
import { chargeBack, settleCharge } from './settle.ts';

for (const [when, credited, taken, open, credit] of [
  ['after the payment', 3000, 10_000, 7000, 0],
  ['before the payment', 3000, 7000, 7000, 0],
  ['after the payment', 3000, 2000, 2000, 3000],
  ['after the payment', 3000, 8000, 7000, 2000],
] as const)
  test(`of an invoice of 100.00, ${credited} cents are credited ${when} and ${taken} charged back`, async () => {
    await using fixture = await openBillingFixture();
    const { account } = await fixture.newAccount();
    const { store } = fixture;
    const parts = { ...fixture.parts, secrets: secretBox(randomBytes(32)) };
    const line = { type: 'Hosting', service: undefined, description: 'Month', cents: 10_000, isTaxed: false } as const;
    const now = parts.clock.now();
    const { id } = await store.transaction((work) => issueInvoice(work, account, { now, lines: [line] }));
    const creditPart = () =>
      store.transaction(async (work) => {
        const [first] = await invoiceLines(work, account, id);
        const lines = [{ id: first!.id, cents: credited }];
        await issueCreditNote(parts, work, (await invoiceFind(work, account, id))!, { reason: 'Mistake', lines });
      });
    const pay = () =>
      store.transaction(async (work) => {
        const cents = (await invoicesOpen(work, account))[0]!.open_cents;
        const charge = { account, driver: 'stripe', method: 1, invoice: id, cents, attempt: 1 };
        const created = await createCharge(parts, work, charge);
        await settleCharge(parts, work, created.id, { state: 'succeeded', externalId: 'pi_1', cents });
        return created.id;
      });
    if (when === 'before the payment') await creditPart();
    const charge = await pay();
    if (when === 'after the payment') await creditPart();
    const report = { reference: 'du_1', cents: taken, reason: 'fraudulent' };
    await store.transaction((work) => chargeBack(parts, work, charge, report));
    assert.deepEqual(
      (await invoicesOpen(store.queries, account)).map(({ open_cents }) => open_cents),
      [open],
    );
    assert.equal(await creditOf(store.queries, account), credit);
  });

test('a chargeback of credit that was spent reopens the invoices that it paid, the newest first', async () => {
  await using fixture = await openBillingFixture();
  const { account } = await fixture.newAccount();
  const { store } = fixture;
  const parts = { ...fixture.parts, secrets: secretBox(randomBytes(32)) };
  const issue = (cents: number) => {
    const line = { type: 'Hosting', service: undefined, description: 'Month', cents, isTaxed: false } as const;
    return store.transaction((work) => issueInvoice(work, account, { now: parts.clock.now(), lines: [line] }));
  };
  const charge = (invoice: number | undefined, cents: number) =>
    store.transaction(async (work) => {
      const created = await createCharge(parts, work, {
        account,
        driver: 'stripe',
        method: 1,
        invoice,
        cents,
        attempt: 0,
      });
      await settleCharge(parts, work, created.id, { state: 'succeeded', externalId: `pi_${created.id}`, cents });
      return created.id;
    });
  const takeBack = (id: number, cents: number) => {
    const report = { reference: `du_${id}`, cents, reason: 'fraudulent' };
    return store.transaction((work) => chargeBack(parts, work, id, report));
  };
  const open = async () => (await invoicesOpen(store.queries, account)).map(({ id, open_cents }) => [id, open_cents]);
  const topUp = await charge(undefined, 10_000);
  const [first, second] = [await issue(4000), await issue(7000)];
  assert.deepEqual([first.status, second.total_cents], ['Paid', 1000]);
  await store.transaction(async (work) => {
    const [line] = await invoiceLines(work, account, second.id);
    const lines = [{ id: line!.id, cents: 2000 }];
    await issueCreditNote(parts, work, (await invoiceFind(work, account, second.id))!, { reason: 'Mistake', lines });
  });
  assert.deepEqual(await open(), []);
  assert.equal(await creditOf(store.queries, account), 1000);

  await takeBack(topUp, 10_000);
  assert.deepEqual(await open(), [
    [first.id, 4000],
    [second.id, 5000],
  ]);
  assert.equal(await creditOf(store.queries, account), 0);

  const payment = await charge(first.id, 9000);
  assert.deepEqual(await open(), []);
  await takeBack(payment, 9000);
  assert.deepEqual(await open(), [
    [first.id, 4000],
    [second.id, 5000],
  ]);
  assert.equal(await creditOf(store.queries, account), 0);
});
