// The last login of accounts that existed before only sign-ins counted.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { addAccount } from '#test/support/accounts.ts';
import { engines } from '#test/support/app.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { accountFind, accountRecordLogin } from '../account/accounts.ts';
import { keyInsert, keyOrSessionFind } from '../account/keys.ts';
import { lastLogins } from './0034-last-logins.ts';

const updates = lastLogins
  .statements({ id: '', integer: '', bytes: '', sortable: '' }, 'sqlite')
  .filter((statement) => statement.startsWith('update'));

describe('the migration of last logins', { concurrency: true }, () => {
  for (const { engine, suite, start } of engines)
    it(`on ${engine} takes them from the audit log, for open sessions too`, suite, async () => {
      await using running = await start();
      await using owned = new AsyncDisposableStack();
      const { database } = await running.newDatabase();
      const store = await openOwnedStore(owned, 'last-logins', database);
      const signedIn = await addAccount(store, 1);
      const programOnly = await addAccount(store, 2);
      const sessions: number[] = [];
      for (const at of [1000, 2000]) {
        const key = {
          operator_role: null,
          contact_id: null,
          kind: 'session',
          name: '',
          scopes: '[]',
          allow: '[]',
        } as const;
        const secret = { printable_id: `s${at}`, secret_hash: '', rate: 1, burst: 1, created_at: at };
        const id = await keyInsert(store.queries, { ...key, ...secret, account_id: signedIn });
        sessions.push(id);
        const call = { operation: 'v2.sessionCreate', target: '', outcome: 'success', request_id: '' };
        const entry = { ...call, account_id: signedIn, at, address: `192.0.2.${sessions.length}`, key_id: id };
        await store.queries
          .insertInto('audit')
          .values({ ...entry, previous: '', hash: '' })
          .execute();
      }
      for (const account of [signedIn, programOnly])
        await accountRecordLogin(store.queries, account, { at: 3000, address: '198.51.100.1' });
      for (const statement of updates) await sql.raw(statement).execute(store.queries);

      const logins = await Promise.all([signedIn, programOnly].map((account) => accountFind(store.queries, account)));
      assert.deepEqual(
        logins.map((account) => [account?.last_login_at, account?.last_login_address]),
        [
          [2000, '192.0.2.2'],
          [null, null],
        ],
      );
      const before = await Promise.all(sessions.map((id) => keyOrSessionFind(store.queries, signedIn, id)));
      assert.deepEqual(
        before.map((session) => [session?.previous_login_at, session?.previous_login_address]),
        [
          [null, null],
          [1000, '192.0.2.1'],
        ],
      );
    });
});
