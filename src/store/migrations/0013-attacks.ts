// Attacks as detectors report them, with their records and traffic logs; null routes, and the router that announces
// them.
import type { Migration } from './migration.ts';

export const attacks: Migration = {
  name: '0013-attacks',
  statements: ({ id, integer, sortable }) => [
    'create table detectors (name text primary key not null, settings text not null)',
    `create table attacks (
  id ${id}, detector text not null, attack text not null, address ${sortable} not null,
  account_id ${integer} references accounts (id), service_id ${integer}, device text not null, network text not null,
  started_at ${integer} not null, ended_at ${integer}, seen_at ${integer} not null)`,
    // If two instances learn of the same attack at once, only one creates the event.
    'create unique index attacks_open on attacks (detector, address, attack) where ended_at is null',
    'create index attacks_of_address on attacks (detector, address, attack, id)',
    'create index attacks_of_service on attacks (service_id, id)',
    `create table attack_records (
  id ${id}, attack_id ${integer} not null references attacks (id), direction text not null, unit text not null,
  protocol text not null, filters text not null, value ${integer} not null, sensor_type text not null,
  sensor_interface text not null, first_at ${integer} not null, last_at ${integer} not null, ticks ${integer} not null,
  unique (attack_id, direction, unit, protocol))`,
    `create table attack_logs (
  attack_id ${integer} not null references attacks (id), at ${integer} not null, figures text not null,
  primary key (attack_id, at))`,
    `create table routers (
  name text primary key not null, driver text not null, settings text not null, revision ${integer} not null)`,
    `create table nullroutes (
  id ${id}, address ${sortable} not null, account_id ${integer} not null references accounts (id),
  service_id ${integer} not null, attack_id ${integer} references attacks (id), origin text not null, reason text not null,
  created_at ${integer} not null, ends_at ${integer}, announced_at ${integer}, removed_at ${integer}, withdrawn_at ${integer})`,
    'create unique index nullroutes_open on nullroutes (address) where removed_at is null',
    'create index nullroutes_live on nullroutes (id) where withdrawn_at is null',
    'create index nullroutes_of_address on nullroutes (address, created_at)',
    'create index nullroutes_of_attack on nullroutes (attack_id)',
    'create index nullroutes_of_service on nullroutes (service_id, id)',
  ],
};
