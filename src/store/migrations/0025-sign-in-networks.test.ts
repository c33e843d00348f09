// The migration of sign-ins on a database that already has some: everybody can still sign in, and enrolments that nobody
// proved are gone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines } from '#test/support/app.ts';
import { openUnmigratedDatabase } from '#test/support/unmigrated-database.ts';
import { foundation } from './0001-foundation.ts';
import { secondFactors } from './0021-second-factors.ts';
import { signInNetworks } from './0025-sign-in-networks.ts';

const person = `'', '', '', '', '', '', '', '', '', 'NL', '', null`;

describe('the migration of sign-ins', { concurrency: true }, () => {
  for (const engine of engines) {
    it(`on ${engine.engine} keeps everybody who can sign in`, engine.suite, async () => {
      await using database = await openUnmigratedDatabase(engine);
      const { queries, run, migrate } = database;
      await migrate(foundation, secondFactors);
      await run('create table operators (id bigint primary key, totp_secret text, totp_since bigint)');
      for (const account of [1, 2])
        await run(
          `insert into accounts values (${account}, ${person}, 'Active', 'EUR', '', '', 0, 1000, null, null, null)`,
        );
      await run(`insert into contacts values (7, 1, ${person}, 1, '', 0, 0, 0, 0, 0, 0, 'Active', 0)`);
      await run(
        `insert into sign_ins values ('ada@example.net', 1, null), ('eva@example.net', 1, 7), ('bo@example.net', 2, null)`,
      );
      await run(`insert into totps values (1, null, 'confirmed', 5, 0), (2, null, 'waiting', null, 0)`);
      await run(`insert into operators values (1, 'confirmed', 5), (2, 'waiting', null)`);

      await migrate(signInNetworks);
      const signIns = queries.selectFrom('sign_ins').select(['email', 'account_id', 'contact_id', 'since']);
      assert.deepEqual(
        (await signIns.orderBy('email').execute()).map((row) => Object.values(row).map(String).join(' ')),
        ['ada@example.net 1 null 0', 'bo@example.net 2 null 0', 'eva@example.net 1 7 0'],
      );
      assert.deepEqual(await queries.selectFrom('totps').select('secret').execute(), [{ secret: 'confirmed' }]);
      assert.deepEqual(await queries.selectFrom('operators').select('totp_secret').orderBy('id').execute(), [
        { totp_secret: 'confirmed' },
        { totp_secret: null },
      ]);
      const insert = (email: string, account: number, contact: string) =>
        run(`insert into sign_ins (email, account_id, contact_id) values ('${email}', ${account}, ${contact})`);
      await assert.rejects(insert('eva@example.net', 1, 'null'), 'once per account');
      await assert.rejects(insert('ada@example.net', 2, 'null'), 'one account itself');
      await run(`insert into contacts values (8, 2, ${person}, 1, '', 0, 0, 0, 0, 0, 0, 'Active', 0)`);
      await insert('ada@example.net', 2, '8');
    });
  }
});
