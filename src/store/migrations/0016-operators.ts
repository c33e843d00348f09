// Operators, the devices they restrict, and the account that their calls are recorded under.
import type { Migration } from './migration.ts';

export const operators: Migration = {
  name: '0016-operators',
  statements: ({ id, integer }) => [
    `create table operators (
  id ${id}, name text not null unique, role text not null, status text not null check (status in ('Active', 'Ended')),
  password_hash text, totp_secret text, totp_since ${integer}, totp_step ${integer} not null, created_at ${integer} not null)`,
    `alter table keys add column operator_id ${integer} references operators (id)`,
    'alter table audit add column operator text',
    // Idempotent responses and audit chains belong to an account; those of operators belong to this one, which no
    // customer can have.
    `insert into accounts (id, firstname, lastname, companyname, email, address1, address2, city, state, postcode, country,
  phonenumber, status, currency, currency_prefix, currency_suffix, created_at)
  values (0, '', '', 'The provider', '', '', '', '', '', '', '', '', 'Active', '', '', '', 0)`,
    `create table device_holds (
  device text not null, kind text not null check (kind in ('locked', 'maintenance')), reason text not null,
  operator text not null, since ${integer} not null, primary key (device, kind))`,
    `create table service_suspensions (
  service_id ${integer} primary key not null references services (id), reason text not null, operator text not null,
  since ${integer} not null, before text not null)`,
  ],
};
