// Cancelled services end by themselves: the final notice, a hold by staff, and the workflow that terminates the service.
import type { Migration } from './migration.ts';

export const endedServices: Migration = {
  name: '0082-ended-services',
  statements: ({ integer }) => [
    `alter table cancellations add column noticed_at ${integer}`,
    `alter table cancellations add column held_at ${integer}`,
    `alter table cancellations add column hold_reason text not null default ''`,
    `alter table cancellations add column ended_at ${integer}`,
    'alter table cancellations add column workflow text',
    'create index cancellations_to_end on cancellations (until_day, service_id) where ended_at is null',
  ],
};
