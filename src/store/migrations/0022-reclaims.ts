// Reclaiming servers between two customers: their state, a record of each reclaim, and certificates.
import type { Migration } from './migration.ts';

export const reclaims: Migration = {
  name: '0022-reclaims',
  statements: ({ integer, bytes }, engine) => [
    `alter table servers add column state text not null default 'available'
  check (state in ('available', 'assigned', 'reclaiming', 'quarantined'))`,
    // 0 if the provider does not want its disks erased.
    `alter table servers add column erase ${integer} not null default 1`,
    'alter table servers add column inventory text',
    // The next BMC password, sealed, and the digest of the site file's settings that it will outlive.
    'alter table servers add column bmc_next_password text',
    'alter table servers add column bmc_file_digest text',
    `update servers set state = 'assigned' where name in (select server from services where server is not null)`,
    `create table reclaims (
  id text primary key not null, server text not null references servers (name), account_id ${integer} not null references accounts (id),
  service_id ${integer} not null, workflow_id text not null, step text, reason text not null, findings text not null,
  started_at ${integer} not null, ended_at ${integer})`,
    'create unique index reclaims_under_way on reclaims (server) where ended_at is null',
    'create index reclaims_of_server on reclaims (server, id)',
    `create table certificates (
  id text primary key not null, server text not null references servers (name), issued_at ${integer} not null, signed text not null,
  former_account_id ${integer} references accounts (id), former_service_id ${integer},
  account_id ${integer} references accounts (id), service_id ${integer})`,
    'create index certificates_of_server on certificates (server, id)',
    'create index certificates_of_service on certificates (account_id, service_id)',
    'create index certificates_of_former_service on certificates (former_account_id, former_service_id)',
    // The findings of the erasing system, as JSON, and the time of its last report.
    'alter table reloads add column findings text',
    `alter table reloads add column reported_at ${integer}`,
    // Binds a boot order to one machine: see docs/decisions/boot-orders.md.
    'alter table servers add column boot_address text',
    'alter table reloads add column bound_to text',
    `alter table reloads add column links_used ${integer} not null default 0`,
    `alter table reloads add column contested_at ${integer}`,
    // 1 or 0 as last set on the BMC, null while that is unknown.
    `alter table bmc_users add column enabled ${integer} default 1`,
    ...sealSerialHistory(integer, bytes, engine),
    ...assignAvailableOnly(engine),
  ],
};

/** Earlier releases stored serial output in plain text, by server. It cannot be attributed to a customer, so it is deleted. */
function sealSerialHistory(integer: string, bytes: string, engine: 'sqlite' | 'postgres'): string[] {
  return [
    // SQLite leaves the pages of a dropped table as they were.
    ...(engine === 'sqlite' ? ['update serial_lines set ring = zeroblob(length(ring))'] : []),
    'drop table serial_lines',
    `create table serial_lines (
  server text primary key not null references servers (name), holder text, held_until ${integer} not null, wanted_by text,
  wanted_until ${integer} not null)`,
    `create table serial_history (
  server text primary key not null references servers (name), service_id ${integer} not null, output ${bytes} not null)`,
  ];
}

/** A service can only get a server that is available, whoever writes the row. An upsert runs insert triggers first, so these
 * ignore a service that already has the server. */
function assignAvailableOnly(engine: 'sqlite' | 'postgres'): string[] {
  const isTaken = `new.server is not null
  and exists (select 1 from servers where name = new.server and state <> 'available')
  and not exists (select 1 from services where id = new.id and server = new.server)`;
  if (engine === 'sqlite')
    return ['insert', 'update of server'].map(
      (act, index) => `create trigger services_get_available_server_${index} before ${act} on services when ${isTaken}
  begin select raise(abort, 'the server is not available'); end`,
    );
  return [
    `create function services_get_available_server() returns trigger language plpgsql as $$ begin
  if ${isTaken} then raise exception 'the server is not available'; end if;
  return new; end $$`,
    `create trigger services_get_available_server before insert or update of server on services
  for each row execute function services_get_available_server()`,
  ];
}
