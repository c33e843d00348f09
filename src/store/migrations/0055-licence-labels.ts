// What a licence is called, beside the name of the price list.
import type { Migration } from './migration.ts';

export const licenceLabels: Migration = {
  name: '0055-licence-labels',
  statements: () => [`alter table licence_prices add column label text not null default ''`],
};
