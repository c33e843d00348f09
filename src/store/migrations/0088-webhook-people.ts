// Webhooks know who created them, and send only what that person may see.
import type { Migration } from './migration.ts';

export const webhookPeople: Migration = {
  name: '0088-webhook-people',
  // Without a reference: the webhook outlives its person, so that the account sees why it is off.
  statements: ({ integer }) => [`alter table webhooks add column contact_id ${integer}`],
};
