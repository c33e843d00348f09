// Uploads of ISO images to BMCs while they run: the link that the BMC fetches, and what it has fetched.
import type { Migration } from './migration.ts';

export const imageUploads: Migration = {
  name: '0033-image-uploads',
  statements: ({ integer }) => [
    `create table image_uploads (
  workflow_id text primary key not null, account_id ${integer} not null references accounts (id), service_id ${integer} not null,
  image text not null, link_hash text not null, size_bytes ${integer} not null, answered ${integer} not null,
  copy text not null check (copy in ('None', 'Running', 'Complete', 'Altered')), sent_bytes ${integer} not null,
  sent_at ${integer} not null)`,
    'create unique index image_uploads_by_link on image_uploads (link_hash)',
    'create index image_uploads_of_service on image_uploads (service_id)',
  ],
};
