import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { accountChange, accountFind } from '#store/account/accounts.ts';
import { firstDay, openBillingFixture, setPolicy } from '#test/support/billing-fixtures.ts';
import { sendNotices } from './notices.ts';
import { resumeAccount } from './suspension.ts';

test('a late invoice suspends an account that staff had suspended when they resume it, and not again', async () => {
  await using fixture = await openBillingFixture();
  const { queries } = fixture.store;
  await setPolicy(fixture.store, { suspendAfterDays: 7 });
  const { account, service } = await fixture.newAccount();
  await fixture.setTerms(account, service, {}, { billDay: 1 });
  await fixture.billAll();
  const status = async (): Promise<string> => (await accountFind(queries, account))!.status;

  await accountChange(queries, account, { status: 'Suspended' });
  fixture.setDay(firstDay + 30);
  await sendNotices(fixture.parts);
  await resumeAccount(fixture.parts, queries, account);
  assert.equal(await status(), 'Suspended', 'a suspension by staff is not that of the invoice');
  await accountChange(queries, account, { status: 'Active' });
  await sendNotices(fixture.parts);
  assert.equal(await status(), 'Suspended');
  await resumeAccount(fixture.parts, queries, account);
  await sendNotices(fixture.parts);
  assert.equal(await status(), 'Active');
});

test('an error for one late invoice does not keep the others from their reminders', async () => {
  await using fixture = await openBillingFixture();
  const { queries } = fixture.store;
  await setPolicy(fixture.store, { reminderDays: [5] });
  for (let count = 0; count < 3; count++) {
    const { account, service } = await fixture.newAccount();
    await fixture.setTerms(account, service, {}, { billDay: 1 });
  }
  await fixture.billAll();
  const [first, ...others] = await queries.selectFrom('invoices').select('id').orderBy('id').execute();
  await sql`create trigger broken before insert on invoice_notices when new.invoice_id = ${sql.lit(first!.id)}
    begin select raise(abort, 'broken'); end`.execute(queries);
  fixture.setDay(firstDay + 30);
  await assert.rejects(sendNotices(fixture.parts), /broken/);
  const reminded = queries.selectFrom('invoice_notices').select('invoice_id as id').where('kind', '=', 'reminder 1');
  assert.deepEqual(await reminded.orderBy('invoice_id').execute(), others);
});
