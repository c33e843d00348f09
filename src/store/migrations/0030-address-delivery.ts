// How assigned addresses reach their devices, and which routes the router has. Single IPv4 addresses can be assigned, so
// every address of a block is a unit, no longer every fourth.
import type { Migration } from './migration.ts';

const missingUnits = [1, 2, 3].map((offset) => {
  const digits = [0, 4, 8, 12].map((first) => [first.toString(16), (first + offset).toString(16)] as const);
  const cases = digits.map(([first, next]) => `when '${first}' then '${next}'`).join(' ');
  return `insert into netblock_units (unit, netblock_id)
  select substr(unit, 1, 8) || case substr(unit, 9, 1) ${cases} end, netblock_id from netblock_units
  where length(unit) = 9 and substr(unit, 9, 1) in ('0', '4', '8', 'c')`;
});

export const addressDelivery: Migration = {
  name: '0030-address-delivery',
  statements: ({ integer }) => [
    'alter table netblocks add column delivery text',
    `create table routes (prefix text primary key not null, next_hop text not null, announced_at ${integer} not null)`,
    ...missingUnits,
  ],
};
