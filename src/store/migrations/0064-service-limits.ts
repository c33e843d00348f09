// The services that a contact, an invited one or a key is limited to: JSON; null for one without limits. And the service
// that a plan is for, by which those with limits find it.
import type { Migration } from './migration.ts';

export const serviceLimits: Migration = {
  name: '0064-service-limits',
  statements: ({ integer }) => [
    `alter table contacts add column services text`,
    `alter table invitations add column services text`,
    `alter table keys add column services text`,
    `alter table plans add column service_id ${integer}`,
  ],
};
