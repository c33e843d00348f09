// Numbers under which staff act on servers that no service has.
import type { Migration } from './migration.ts';

export const stockNumbers: Migration = {
  name: '0060-stock-numbers',
  statements: ({ id }) => [
    `create table stock_numbers (id ${id}, server text not null references servers (name))`,
    'create unique index stock_numbers_by_server on stock_numbers (server)',
  ],
};
