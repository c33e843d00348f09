// Indexes for lists and searches over all customers, so that a page costs the same with a hundred services and with a
// hundred thousand.
import type { Engine } from '../store.ts';
import type { Migration } from './migration.ts';

/** Part of the index and of the query, so that databases recognize it. */
export const isMisplaced = `untidy < 2 and (state = 'pending' or (wanted_node is not null and node <> wanted_node))`;

/** Indexes by name, each with the table and columns that it covers. */
export const searchIndexes = {
  accounts: { table: 'accounts', columns: ["firstname || ' ' || lastname", 'companyname', 'email'] },
  services: { table: 'services', columns: ['name', 'hostname', 'ip', "coalesce(server, '')"] },
  contacts: { table: 'contacts', columns: ["firstname || ' ' || lastname", 'companyname', 'email'] },
  postal: { table: 'accounts', columns: ['address1', 'address2', "postcode || ' ' || city", 'phonenumber'] },
} as const satisfies Record<string, { readonly table: string; readonly columns: readonly string[] }>;

export type SearchIndex = keyof typeof searchIndexes;

/** Returns an expression with the searched text of a row, one value per line. Part of the indexes, too. */
export function searchedText(index: SearchIndex, row: string = searchIndexes[index].table): string {
  const columns = searchIndexes[index].columns.map((column) =>
    column.replaceAll(/\b[a-z][a-z0-9]*\b(?!\()/g, (name) => `${row}.${name}`),
  );
  return columns.join(" || '\n' || ");
}

/** A full-text table that triggers maintain, with the ids as its row ids. */
function sqliteSearch(name: SearchIndex): string[] {
  const { table } = searchIndexes[name];
  const [before, now] = [searchedText(name, 'old'), searchedText(name, 'new')];
  const index = `${name}_search`;
  const add = `insert into ${index} (rowid, text) values (new.id, ${now});`;
  const remove = `insert into ${index} (${index}, rowid, text) values ('delete', old.id, ${before});`;
  return [
    `create view ${index}_texts as select id, ${searchedText(name)} as text from ${table}`,
    `create virtual table ${index} using fts5 (text, content = '${index}_texts', content_rowid = 'id', tokenize = 'trigram')`,
    `create trigger ${index}_insert after insert on ${table} begin ${add} end`,
    `create trigger ${index}_delete after delete on ${table} begin ${remove} end`,
    `create trigger ${index}_update after update on ${table} when ${before} <> ${now} begin ${remove} ${add} end`,
    `insert into ${index} (${index}) values ('rebuild')`,
  ];
}

/** The extension is part of PostgreSQL, and of every managed one, but may not be installed. */
function postgresSearch(names: readonly SearchIndex[]): string {
  const indexes = names.map((name) => {
    const { table } = searchIndexes[name];
    return `create index ${name}_search on ${table} using gin (lower(${searchedText(name)}) gin_trgm_ops);`;
  });
  return `do $search$ begin
create extension if not exists pg_trgm;
${indexes.join('\n')}
exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
raise notice 'without pg_trgm, searches read all rows';
end $search$`;
}

/** Returns the statements that create the indexes. */
export function createSearch(engine: Engine, ...names: SearchIndex[]): string[] {
  return engine === 'sqlite' ? names.flatMap(sqliteSearch) : [postgresSearch(names)];
}

/** For a migration that creates search indexes. */
export const searchRemoves = {
  'create trigger': { harmless: 'they only copy what the previous release writes into the index' },
  'do $search$': { harmless: 'it only adds indexes' },
} as const;

export const lists: Migration = {
  name: '0053-lists',
  statements: (_, engine) => [
    ...createSearch(engine, 'accounts', 'services'),
    'create index accounts_by_status on accounts (status, id)',
    'create index audit_by_operation on audit (operation, id)',
    'create index audit_by_operator on audit (operator, id)',
    'create index audit_by_outcome on audit (outcome, id)',
    `create index machines_misplaced on machines (vmid) where ${isMisplaced}`,
    'create index servers_removed on servers (name) where removed_at is not null',
    'create index servers_silent on servers (name) where power_error is not null and removed_at is null',
    'create index services_by_status on services (status, id)',
    'create index services_by_type on services (type, id)',
    'create index services_by_type_and_status on services (type, status, id)',
    'create index switches_removed on switches (name) where removed_at is not null',
    'create index switches_silent on switches (name) where poll_error is not null and removed_at is null',
    'create index workflows_by_name on workflows (name, id)',
    'create index workflows_by_status on workflows (status, id)',
  ],
  removes: searchRemoves,
};
