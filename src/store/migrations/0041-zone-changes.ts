// A log of what has changed in zones, for the name servers that answer from memory. Triggers write it, so that no change is missing,
// whichever program or release makes it. A row without a path means the whole zone: it was created or deleted, or its keys changed.
import type { Engine } from '../store.ts';
import type { Migration } from './migration.ts';

const acts = ['insert', 'update', 'delete'] as const;

export const zoneChanges: Migration = {
  name: '0041-zone-changes',
  statements: ({ id, integer, sortable }, engine) => [
    `create table zone_changes (
  id ${id}, zone_id ${integer} not null, path ${sortable},
  transaction_id ${integer} not null default ${engine === 'sqlite' ? '0' : '(pg_current_xact_id()::text::bigint)'})`,
    ...(engine === 'sqlite' ? [] : ['create index zone_changes_by_transaction on zone_changes (transaction_id)']),
    "insert into meta (name, value) values ('zone changes removed', '0')",
    ...triggers(engine),
  ],
  removes: { 'create trigger': { harmless: 'they only log what the previous release does as well' } },
};

/** Records that are deleted with their zone need no row: their zone has one. */
const zoneExists = 'exists (select 1 from zones where zones.id = zone_id)';
const ofRecord = 'select zone_id, path from records where records.id =';

function triggers(engine: Engine): string[] {
  return engine === 'sqlite' ? sqliteTriggers() : postgresTriggers();
}

function sqliteTriggers(): string[] {
  const trigger = (table: string, act: string, statement: string): string =>
    `create trigger ${table}_log_${act} after ${act} on ${table} begin insert into zone_changes (zone_id, path) ${statement}; end`;
  const rowOf = (act: string): string => (act === 'delete' ? 'old' : 'new');
  return [
    ...acts.map((act) =>
      trigger(
        'records',
        act,
        `select zone_id, path from (select ${rowOf(act)}.zone_id, ${rowOf(act)}.path) where ${zoneExists}`,
      ),
    ),
    ...acts.map((act) => trigger('alias_addresses', act, `${ofRecord} ${rowOf(act)}.record_id`)),
    ...['insert', 'delete'].map((act) => trigger('zones', act, `values (${rowOf(act)}.id, null)`)),
    ...['signed_zones', 'zone_keys'].flatMap((table) =>
      acts.map((act) => trigger(table, act, `values (${rowOf(act)}.zone_id, null)`)),
    ),
  ];
}

/** Once per statement, with all its rows: an import has thousands. */
function postgresTriggers(): string[] {
  const logger = (table: string, statement: string): string =>
    `create function ${table}_log() returns trigger language plpgsql as $$ begin insert into zone_changes (zone_id, path) ${statement}; return null; end $$`;
  const trigger = (table: string, act: string): string =>
    `create trigger ${table}_log_${act} after ${act} on ${table} referencing ${act === 'delete' ? 'old' : 'new'} table as changed for each statement execute function ${table}_log()`;
  return [
    logger('records', `select distinct zone_id, path from changed where ${zoneExists}`),
    logger(
      'alias_addresses',
      `select distinct zone_id, path from changed join records on records.id = changed.record_id`,
    ),
    logger('zones', 'select id, null from changed'),
    ...['signed_zones', 'zone_keys'].map((table) => logger(table, 'select distinct zone_id, null from changed')),
    ...['records', 'alias_addresses', 'signed_zones', 'zone_keys'].flatMap((table) =>
      acts.map((act) => trigger(table, act)),
    ),
    ...['insert', 'delete'].map((act) => trigger('zones', act)),
  ];
}
