// The DNS records that a key is limited to; null for a key without such limits, as all existing keys are.
import type { Migration } from './migration.ts';

export const keyDnsLimits: Migration = {
  name: '0046-key-dns-limits',
  statements: () => ['alter table keys add column dns_limits text'],
};
