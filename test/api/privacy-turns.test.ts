// Archives of several accounts at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { exportWorker } from '#app/privacy/exports.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { accountFields, operatorResult } from '#test/support/operators.ts';
import { untilDefined } from '#test/support/until.ts';

describeOnEngines('the archive of a small account', { postgres: 'in long runs' }, ({ openApp }) => {
  test('is complete before those of larger accounts that asked earlier', async () => {
    const app = await openApp();
    await app.parts.queue.start([exportWorker(app.parts)]);
    const { queries } = app.parts.store;
    const createCustomer = () => operatorResult<string>(app, 'POST', 'account', accountFields());
    const large = [await createCustomer(), await createCustomer(), await createCustomer()];
    const small = await createCustomer();
    for (const account of large)
      await sql`insert into events (account_id, sequence, type, version, data, at)
        with recursive numbers(n) as (select 1000 union all select n + 1 from numbers where n < 21000)
        select ${Number(account)}, n, 'service.suspended', 1, '{}', 0 from numbers`.execute(queries);
    for (const id of [...large, small]) await operatorResult(app, 'POST', 'account/export', { id, reason: 'a letter' });
    const inOrder = queries.selectFrom('account_exports').select('account_id').where('status', '=', 'Ready');
    const complete = await untilDefined(async () => {
      const rows = await inOrder.orderBy('ready_at').execute();
      return rows.length === 4 ? rows : undefined;
    });
    assert.equal(complete[0]!.account_id, Number(small));
  });
});
