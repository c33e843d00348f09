// Indexes for what was found by reading a whole table, which matters with thousands of services. Those on references are
// for the removal of what they refer to.
import type { Migration } from './migration.ts';

const references = {
  keys: ['contact_id', 'operator_id'],
  known_networks: ['account_id', 'contact_id', 'operator_id'],
  netblock_units: ['netblock_id'],
  passkeys: ['contact_id'],
  sign_ins: ['contact_id'],
  totps: ['contact_id'],
};

export const largeSites: Migration = {
  name: '0040-large-sites',
  statements: () => [
    ...Object.entries(references).flatMap(([table, columns]) =>
      columns.map((column) => `create index ${table}_by_${column} on ${table} (${column}) where ${column} is not null`),
    ),
    'create index attacks_by_end on attacks (ended_at)',
    'create index attacks_open_of_address on attacks (address) where ended_at is null',
    'create index audit_of_staff on audit (id) where operator is not null',
    'create index deliveries_of_webhook on deliveries (webhook_id, id)',
    'create index keys_by_expiry on keys (expires_at) where expires_at is not null',
    'create index licences_by_status on licences (status, id)',
    'create index machines_by_state on machines (state, next_attempt_at)',
    'create index machines_by_untidiness on machines (untidy, service_id)',
    'create index netblock_holdings_current on netblock_holdings (cidr) where held_until is null',
    'create index netblock_requests_by_status on netblock_requests (status, id)',
    'create index netblocks_delivered on netblocks (first) where delivery is not null',
    'create index netblocks_pools on netblocks (first) where pool is not null',
    'create index nullroutes_by_end on nullroutes (withdrawn_at)',
    'create index port_holdings_of_port on port_holdings (port_id)',
    'create index reclaims_open on reclaims (id) where ended_at is null',
    'create index reloads_by_end on reloads (ended_at)',
    'create index workflows_of_service on workflows (service_id, id) where service_id is not null',
  ],
};
