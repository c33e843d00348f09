// What customers keep about their services and themselves: labels, SSH keys, recovery codes, preferences, and the
// browser of each session. And the system that was installed last, which outlives the record of its installation.
import type { Migration } from './migration.ts';

export const peopleAndLabels: Migration = {
  name: '0062-people-and-labels',
  statements: ({ id, integer }, engine) => {
    const systemName = engine === 'sqlite' ? "json_extract(r.system, '$.name')" : "cast(r.system as json) ->> 'name'";
    const lastReload = (column: string): string =>
      `(select ${column} from reloads r where r.account_id = services.account_id and r.service_id = services.id
  and r.kind = 'reload' and r.status = 'Completed' order by r.id desc limit 1)`;
    const person = `account_id ${integer} not null references accounts (id),
  contact_id ${integer} references contacts (id) on delete cascade`;
    // The account's own sign-in has no contact, and two nulls would not be equal.
    const personKey = 'account_id, coalesce(contact_id, -1)';
    return [
      `alter table services add column labels text not null default '[]'`,
      'alter table services add column system text',
      `alter table services add column installed_at ${integer}`,
      `update services set system = ${lastReload(systemName)}, installed_at = ${lastReload('r.ended_at')}
  where type = 'dedicated'`,
      'alter table keys add column user_agent text',
      `create table ssh_keys (id ${id}, account_id ${integer} not null references accounts (id), name text not null,
  public_key text not null, fingerprint text not null, created_at ${integer} not null)`,
      'create unique index ssh_keys_of_account on ssh_keys (account_id, fingerprint)',
      `create table recovery_codes (${person}, digest text not null)`,
      `create unique index recovery_codes_of_person on recovery_codes (${personKey}, digest)`,
      'create index recovery_codes_of_contact on recovery_codes (contact_id)',
      `create table preferences (${person}, timezone text not null, date_format text not null, filters text not null)`,
      `create unique index preferences_of_person on preferences (${personKey})`,
      'create index preferences_of_contact on preferences (contact_id)',
    ];
  },
};
