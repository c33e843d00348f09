// The audit log cannot be rewritten, and tampering that bypasses this is detected.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import type { AccountId } from '../account-id.ts';
import { auditAppend, auditVerify } from './audit.ts';

const account = 1 as AccountId;
const other = 2 as AccountId;

describeOnEngines('the audit log', ({ engine, openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp()));
  const queries = () => app.parts.store.queries;
  const append = (target: string, account_id = account) =>
    app.parts.store.transaction((transaction) =>
      auditAppend(transaction, {
        account_id,
        at: 1,
        address: '127.0.0.1',
        key_id: 1,
        contact_id: null,
        operation: 'v2.contactCreate',
        target,
        outcome: 'success',
        request_id: 'r',
      }),
    );
  const ids = async () =>
    (await queries().selectFrom('audit').select('id').where('account_id', '=', account).orderBy('id').execute()).map(
      ({ id }) => id,
    );

  test('is intact after many concurrent writes', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => append(`id=${index}`)));
    assert.equal((await ids()).length, 40);
    assert.equal(await auditVerify(queries(), account), undefined);
  });

  test('is intact while others write', async () => {
    for (let index = 0; index < 100; index++) {
      const [found] = await Promise.all([auditVerify(queries(), other), append(`id=${index}`, other)]);
      assert.equal(found, undefined);
    }
  });

  test('cannot be changed or truncated through the database', async () => {
    await assert.rejects(queries().updateTable('audit').set({ outcome: 'x' }).execute(), /append-only/);
    await assert.rejects(queries().deleteFrom('audit').execute(), /append-only/);
    assert.equal((await ids()).length, 40);
  });

  test('detects an entry that was altered, reinserted or removed', async () => {
    const triggers = engine === 'sqlite' ? ['audit_keeps_from_update', 'audit_keeps_from_delete'] : ['audit_keeps'];
    for (const name of triggers) {
      const on = engine === 'sqlite' ? sql`` : sql` on audit`;
      await sql`drop trigger ${sql.id(name)}${on}`.execute(queries());
    }
    const all = await ids();
    const middle = all[20]!;
    const entry = await queries().selectFrom('audit').selectAll().where('id', '=', middle).executeTakeFirstOrThrow();
    for (const change of [
      { outcome: 'x' },
      { target: 'id=x' },
      { at: 2 },
      { key_id: 2 },
      { address: 'x' },
      { hash: 'x' },
    ]) {
      await queries().updateTable('audit').set(change).where('id', '=', middle).execute();
      assert.equal(await auditVerify(queries(), account), middle, JSON.stringify(change));
      const { id: _, ...rest } = entry;
      await queries().updateTable('audit').set(rest).where('id', '=', middle).execute();
      assert.equal(await auditVerify(queries(), account), undefined);
    }
    await queries().deleteFrom('audit').where('id', '=', all.at(-1)!).execute();
    assert.equal(await auditVerify(queries(), account), 'end');
    await queries().deleteFrom('audit').where('id', '=', middle).execute();
    assert.equal(await auditVerify(queries(), account), all[21]);
  });
});
