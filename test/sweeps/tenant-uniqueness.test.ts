// A value that must be unique among all tenants tells whoever chooses it that another tenant has it. So a unique index
// either includes the account or what belongs to one account, or is listed here with the reason why no customer learns
// anything from it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openTestApp, type TestApp } from '#test/support/app.ts';

/** Columns that identify something of one account: a value that is unique among its rows is the account's own. */
const ofOneAccount =
  /^(?:account_id|contact_id|service_id|invoice_id|zone_id|reload_id|attack_id|port_id|netblock_id|webhook_id|plan_id|service|vmid)$/;

/** Every other unique index, by the reason why no customer learns of another from it. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  'the provider chooses it, or its staff': [
    'detectors (name)',
    'coupons (code)',
    'exchange_rates (currency, day)',
    'invoice_numbers (series)',
    'invoices (number)',
    'licence_prices (name)',
    'netblock_units (unit)',
    'machines (node, hypervisor_name)',
    'netblocks (cidr)',
    'nodes (name)',
    'operators (name)',
    'payment_hooks (name)',
    'pdus (name)',
    'price_plans (name)',
    'sepa_entries (key)',
    'sepa_files (message_id)',
    'sepa_statements (digest)',
    'ports (switch, if_index)',
    'ports (switch, key_by, key)',
    'rack_mounts (kind, name)',
    'racks (name)',
    'receipts (method, reference)',
    'routers (name)',
    'routes (prefix)',
    'server_macs (mac)',
    'servers (alias)',
    'servers (name)',
    'servers (serial)',
    'servers (uuid)',
    'services (server)',
    'stock_numbers (server)',
    'switch_reports (switch)',
    'switches (name)',
    'templates (value)',
  ],
  'the address of an account itself, which staff set, or whoever reads its mail; a contact’s is unique in its account':
    ['sign_ins (email)'],
  'Hostyard draws it at random': [
    'backup_transfers (id)',
    'certificates (id)',
    'console_sessions (id)',
    'console_tickets (hash)',
    'device_images (link_hash)',
    'image_uploads (link_hash)',
    'image_uploads (workflow_id)',
    'invitations (token_hash)',
    'keys (printable_id)',
    'machine_backup_volumes (backup_id, volume_id)',
    'machine_backups (id)',
    'passkey_challenges (hash)',
    'payment_charges (key)',
    'payment_methods (key)',
    'payment_refunds (key)',
    'sign_on_flows (hash)',
    'reclaims (id)',
    'recoveries (token_hash)',
    'reloads (id)',
    'reloads (secret_hash)',
    'screen_sessions (id)',
    'sign_up_invitations (token_hash)',
    'sign_up_proofs (digest)',
    'sign_ups (token_hash)',
    'workflows (id)',
  ],
  'the payment provider draws it at random': [
    'payment_charges (driver, external_id)',
    'payment_notices (driver, event_id)',
  ],
  'an authenticator draws it at random, so that whoever sends one of another person has it already': [
    'passkeys (credential)',
  ],
  'it names a device or an address that is the caller’s own: any other is not found': [
    'attacks (detector, address, attack)',
    'bmc_users (server, name)',
    'device_holds (device, kind)',
    'device_locks (device)',
    'nullroutes (address)',
    'reclaims (server)',
    'reloads (server)',
    'serial_history (server)',
    'serial_lines (server)',
    'serial_output (server, slot)',
    'server_sensors (server)',
  ],
  'a domain is served once, which the name servers tell everybody; a record in it proves whose it is': [
    'former_zones (name)',
    'zones (name)',
  ],
  'its expressions include the account': ['known_networks (network, (expression), (expression), (expression))'],
  'no request names it': [
    'account_export_parts (export_id, position)',
    'alias_addresses (record_id, type, rdata)',
    'device_meters (kind, device)',
    'jobs (kind, key)',
    'meta (name)',
    'migrations (name)',
    'pollers (instance)',
    'reconcilers (name)',
    'sepa_mandates (reference)',
    'sepa_orders (charge_id)',
    'sepa_orders (end_to_end_id)',
    'sepa_orders (refund_id)',
    'serial_holders (instance)',
    'zone_publications (zone)',
  ],
};

interface UniqueIndex {
  readonly table: string;
  readonly columns: readonly string[];
}

describe('values that are unique among tenants', () => {
  let app: TestApp;
  before(async () => void (app = await openTestApp()));
  after(() => app[Symbol.asyncDispose]());

  async function uniqueIndexes(): Promise<UniqueIndex[]> {
    const { queries } = app.parts.store;
    const { rows } = await sql<{ table: string; columns: string }>`
      select tables.name as "table", (select group_concat(coalesce(info.name, '(expression)'), ', ')
        from pragma_index_info(list.name) as info) as columns
      from sqlite_master as tables, pragma_index_list(tables.name) as list
      where tables.type = 'table' and list."unique" = 1 and tables.name not like '%\\_search\\_%' escape '\\'`.execute(
      queries,
    );
    return rows.map(({ table, columns }) => ({ table, columns: columns.split(', ') }));
  }

  test('cannot be chosen by customers, or are listed with a reason', async () => {
    const indexes = await uniqueIndexes();
    assert.ok(indexes.length > 20);
    const shared = indexes
      .filter(({ columns }) => !columns.some((column) => ofOneAccount.test(column)))
      .map(({ table, columns }) => `${table} (${columns.join(', ')})`);
    assert.deepEqual([...new Set(shared)].toSorted(), Object.values(harmless).flat().toSorted());
  });
});
