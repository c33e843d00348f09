// Migrations since the last release only add, so that instances of that release keep working until they are upgraded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnTypes, migrations } from '#store/migrate.ts';
import { findContraction, newAdditions } from '#test/support/contractions.ts';
import { lastMigrations } from '#test/support/releases.ts';

const engines = ['sqlite', 'postgres'] as const;
const unreleased = migrations.filter(({ name }) => !lastMigrations.has(name));

const declarationOf = (name: string) => (beginning: string) => `${name} declares "${beginning}"`;

test('migrations since the last release take nothing away from it', () => {
  const problems: string[] = [];
  const unused = new Set(unreleased.flatMap(({ name, removes = {} }) => Object.keys(removes).map(declarationOf(name))));
  for (const engine of engines) {
    const additions = newAdditions();
    for (const { name, statements, removes = {} } of unreleased)
      for (const statement of statements(columnTypes[engine], engine)) {
        const contraction = findContraction(statement, additions);
        if (contraction === undefined) continue;
        const declared = Object.keys(removes).find((beginning) => statement.startsWith(beginning));
        const reason = removes[declared ?? ''];
        unused.delete(declarationOf(name)(declared ?? ''));
        if (reason === undefined) problems.push(`${name} on ${engine}: ${contraction}`);
        else if ('unusedSince' in reason && !lastMigrations.has(reason.unusedSince))
          problems.push(`${name} on ${engine}: ${contraction}, but ${reason.unusedSince} is not released yet`);
      }
  }
  for (const declaration of unused) problems.push(`${declaration}, which it does not do`);
  assert.deepEqual(problems, []);
});

test('a statement that takes something away is found', () => {
  const additions = newAdditions();
  const find = (statement: string) => findContraction(statement, additions);
  const harmless = [
    'create table added (id bigint primary key, name text not null)',
    'drop table added',
    'delete from added',
    'create unique index added_by_name on added (name)',
    'create index accounts_by_city on accounts (city)',
    'alter table accounts add column later text',
    "alter table accounts add column other text not null default ''",
    'create unique index accounts_by_later on accounts (later)',
    "update accounts set later = 'x', other = 'y' where id = 1",
    'insert into meta (name, value) values (1, 2)',
  ];
  assert.deepEqual(
    harmless.map(find),
    harmless.map(() => undefined),
  );
  const harmful = [
    'drop table accounts',
    'alter table accounts drop column city',
    'alter table accounts rename column city to town',
    'alter table accounts rename to customers',
    'alter table accounts alter column city set not null',
    'alter table accounts add column required text not null',
    'alter table accounts add constraint positive check (id > 0)',
    'alter table accounts add column single text unique',
    'create unique index accounts_by_city on accounts (city)',
    'update accounts set city = upper(city)',
    'delete from accounts where id = 1',
    'drop index accounts_by_city',
    'create trigger accounts_keep before update on accounts begin select 1; end',
    'vacuum',
  ];
  for (const statement of harmful) assert.notEqual(find(statement), undefined, statement);
});
