// What virtual machines use, sampled from their hypervisors and stored like the traffic of ports. The traffic of the current month
// that was counted before stays in `machines`.
import type { Migration } from './migration.ts';

export const machineSamples: Migration = {
  name: '0032-machine-samples',
  statements: ({ integer, bytes }) => [
    `alter table nodes add column next_sample_at ${integer} not null default 0`,
    `alter table nodes add column sampled_since ${integer} not null default 0`,
    `create table machine_meters (
  service_id ${integer} primary key not null references services (id), node text not null, meters text not null)`,
    `create table machine_days (
  service_id ${integer} not null references services (id), series text not null, day_start ${integer} not null,
  packed ${bytes} not null, primary key (service_id, series, day_start))`,
    'create index machine_days_by_day on machine_days (day_start)',
    ...['counter_received', 'counter_sent', 'next_meter_at'].map(
      (column) => `alter table machines drop column ${column}`,
    ),
  ],
};
