// ISO images of devices: at most one each, with its state and the link it is fetched from.
import type { Migration } from './migration.ts';

export const images: Migration = {
  name: '0011-images',
  statements: ({ integer }) => [
    `create table device_images (
  service_id ${integer} primary key not null, account_id ${integer} not null references accounts (id), image text not null,
  state text not null, link_hash text, changed_at ${integer} not null)`,
    'create unique index device_images_by_link on device_images (link_hash)',
  ],
};
