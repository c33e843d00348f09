// Passkeys and email addresses of staff, notices about bandwidth, announced maintenance, and bounced messages. Rows of
// staff belong to the provider's own account.
import type { Migration } from './migration.ts';

export const staffAndNotices: Migration = {
  name: '0066-staff-and-notices',
  statements: ({ id, integer }) => {
    const operator = `add column operator_id ${integer} references operators (id)`;
    const account = `account_id ${integer} not null references accounts (id)`;
    return [
      `alter table passkeys ${operator}`,
      'create index passkeys_of_operator on passkeys (operator_id, id)',
      `alter table passkey_challenges ${operator}`,
      `alter table operators add column email text not null default ''`,
      'create index operators_by_email on operators (email)',
      `alter table recoveries ${operator}`,
      'create index recoveries_of_operator on recoveries (operator_id)',
      'create index service_terms_committed on service_terms (service_id) where committed_mbits is not null',
      `create table bandwidth_notices (${account}, service_id ${integer} not null references services (id),
  month ${integer} not null, threshold ${integer} not null, created_at ${integer} not null,
  primary key (service_id, month, threshold))`,
      'create index bandwidth_notices_of_account on bandwidth_notices (account_id, service_id, month)',
      `create table maintenances (id ${id}, title text not null, text text not null, start_at ${integer} not null,
  end_at ${integer} not null, status text not null check (status in ('Draft', 'Announced', 'Cancelled', 'Completed')),
  targets text not null, operator text not null, revision ${integer} not null, created_at ${integer} not null,
  updated_at ${integer} not null)`,
      // What the customers know: the services that were affected when they were last notified.
      `create table maintenance_services (maintenance_id ${integer} not null references maintenances (id), ${account},
  service_id ${integer} not null references services (id), primary key (maintenance_id, service_id))`,
      'create index maintenance_services_of_account on maintenance_services (account_id, maintenance_id, service_id)',
      'create index maintenance_services_by_account on maintenance_services (maintenance_id, account_id)',
      'create index maintenance_services_of_service on maintenance_services (service_id)',
      `create table mail_bounces (${account}, address text not null, count ${integer} not null,
  diagnostic text not null, bounced_at ${integer} not null, undeliverable_since ${integer},
  primary key (account_id, address))`,
      `create index mail_bounces_undeliverable on mail_bounces (account_id, address)
  where undeliverable_since is not null`,
    ];
  },
};
