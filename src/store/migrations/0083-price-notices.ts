// Announcements of new prices, once for each service. They outlive the change that they announce: if staff withdraw it,
// whoever was notified is notified of that, too.
import type { Migration } from './migration.ts';

export const priceNotices: Migration = {
  name: '0083-price-notices',
  statements: ({ integer }) => [
    `create table price_notices (change_id ${integer} not null, service_id ${integer} not null references services (id),
  account_id ${integer} not null references accounts (id), plan text not null, from_day ${integer} not null,
  sent_at ${integer} not null, withdrawn_at ${integer}, primary key (change_id, service_id))`,
    'create index price_notices_of_account on price_notices (account_id, service_id)',
    'create index price_notices_of_service on price_notices (service_id, change_id)',
    'create index price_notices_standing on price_notices (change_id, service_id) where withdrawn_at is null',
  ],
};
