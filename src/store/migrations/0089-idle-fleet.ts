// An index of machines without a network filter, of which there are few. They are counted every few seconds.
import type { Migration } from './migration.ts';

export const idleFleet: Migration = {
  name: '0089-idle-fleet',
  statements: () => [
    'create index machines_without_filter on machines (state, unfiltered, untidy) where networks is null',
  ],
};
