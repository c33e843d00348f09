// Messages sent by email, and which of them each person receives.
import type { Migration } from './migration.ts';

export const mail: Migration = {
  name: '0056-mail',
  statements: ({ id, integer }) => [
    `create table mails (id ${id}, account_id ${integer} not null, contact_id ${integer}, address text not null,
  kind text not null, sequence ${integer}, details text, language text not null, status text not null,
  attempts ${integer} not null, next_at ${integer} not null, created_at ${integer} not null, sent_at ${integer},
  relay text not null, error text not null, subject text not null, body text not null,
  resend_of ${integer}, summary_id ${integer})`,
    `create index mails_of_account on mails (account_id, id)`,
    `create index mails_by_address on mails (address, created_at)`,
    `create index mails_by_account on mails (account_id, created_at)`,
    `create index mails_pending on mails (status, created_at) where status in ('Queued', 'Held')`,
    // The account itself has the contact 0.
    `create table mail_choices (account_id ${integer} not null, contact_id ${integer} not null, language text not null,
  off_kinds text not null, primary key (account_id, contact_id))`,
  ],
};
