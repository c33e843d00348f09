CREATE TABLE accounts (
  id integer primary key not null, firstname text not null, lastname text not null, companyname text not null, email text not null,
  address1 text not null, address2 text not null, city text not null, state text not null, postcode text not null,
  country text not null, phonenumber text not null, password_hash text,
  status text not null check (status in ('Active', 'Suspended', 'Closed')),
  currency text not null, currency_prefix text not null, currency_suffix text not null,
  credit_cents integer not null, created_at integer not null,
  last_login_at integer, last_login_address text, last_login_host text);

CREATE TABLE audit (
  id integer primary key autoincrement, account_id integer not null references accounts (id), at integer not null, address text not null,
  key_id integer, contact_id integer, operation text not null, target text not null, outcome text not null,
  request_id text not null, previous text not null, hash text not null);

CREATE TRIGGER audit_keeps_from_delete before delete on audit begin select raise(abort, 'audit is append-only'); end;

CREATE TRIGGER audit_keeps_from_update before update on audit begin select raise(abort, 'audit is append-only'); end;

CREATE INDEX audit_of_account on audit (account_id, id);

CREATE TABLE audit_tips (account_id integer primary key not null references accounts (id), hash text not null, events integer not null default 0);

CREATE TABLE bmc_users (
  server text not null references servers (name), name text not null, service_id integer not null, kind text not null,
  created_at integer not null, expires_at integer, primary key (server, name));

CREATE TABLE console_tickets (
  hash text primary key not null, account_id integer not null references accounts (id), service_id integer not null,
  key_id integer not null, address text not null, expires_at integer not null);

CREATE TABLE contacts (
  id integer primary key autoincrement, account_id integer not null references accounts (id), firstname text not null, lastname text not null, companyname text not null, email text not null,
  address1 text not null, address2 text not null, city text not null, state text not null, postcode text not null,
  country text not null, phonenumber text not null, password_hash text,
  subaccount integer not null, permissions text not null,
  domainemails integer not null, generalemails integer not null, invoiceemails integer not null,
  productemails integer not null, supportemails integer not null, affiliateemails integer not null,
  status text not null, created_at integer not null);

CREATE INDEX contacts_of_account on contacts (account_id, id);

CREATE TABLE deliveries (
  id integer primary key autoincrement, account_id integer not null references accounts (id),
  webhook_id integer not null references webhooks (id) on delete cascade, lane integer not null,
  sequence integer not null, status text not null check (status in ('Pending', 'Delivered', 'Failed')),
  attempts integer not null, next_at integer not null, last_at integer, answer integer, error text not null,
  replay_of integer, created_at integer not null);

CREATE INDEX deliveries_of_account on deliveries (account_id, id);

CREATE INDEX deliveries_pending on deliveries (webhook_id, lane, id) where status = 'Pending';

CREATE TABLE device_locks (
  device text primary key not null, holder text not null, purpose text not null, held_until integer not null);

CREATE TABLE events (
  account_id integer not null references accounts (id), sequence integer not null, type text not null,
  version integer not null, service_id integer, data text not null, at integer not null,
  primary key (account_id, sequence)) without rowid;

CREATE TABLE idempotency (
  account_id integer not null references accounts (id), method text not null, path text not null, key text not null,
  fingerprint text not null, status integer, body text, claimed_by text not null, claimed_until integer not null,
  expires_at integer not null, primary key (account_id, method, path, key));

CREATE INDEX idempotency_by_expiry on idempotency (expires_at);

CREATE TABLE invoice_lines (
  id integer primary key autoincrement, account_id integer not null references accounts (id), invoice_id integer not null references invoices (id),
  type text not null, service_id integer, description text not null, amount_cents integer not null, taxed integer not null);

CREATE INDEX invoice_lines_of_invoice on invoice_lines (invoice_id, id);

CREATE TABLE invoices (
  id integer primary key autoincrement, account_id integer not null references accounts (id), number text not null unique,
  day integer not null, due_day integer not null, paid_at integer,
  status text not null check (status in ('Unpaid', 'Paid', 'Cancelled')),
  subtotal_cents integer not null, credit_cents integer not null, tax_cents integer not null,
  tax2_cents integer not null, total_cents integer not null, tax_rate integer not null, tax_rate2 integer not null,
  payment_method text not null, notes text not null);

CREATE INDEX invoices_of_account on invoices (account_id, status, id);

CREATE TABLE jobs (
  id integer primary key autoincrement, kind text not null, key text, payload text not null,
  state text not null check (state in ('queued', 'running', 'failed')), run_at integer not null,
  attempt integer not null, failures integer not null,
  claimed_by text, heartbeat_at integer, error text, failed_at integer);

CREATE INDEX jobs_failed on jobs (failed_at) where state = 'failed';

CREATE UNIQUE INDEX jobs_one_running_of_key on jobs (kind, key) where state = 'running' and key is not null;

CREATE INDEX jobs_queued on jobs (kind, run_at, id) where state = 'queued';

CREATE INDEX jobs_queued_of_key on jobs (kind, key, id) where state = 'queued' and key is not null;

CREATE INDEX jobs_running on jobs (kind, heartbeat_at) where state = 'running';

CREATE TABLE keys (
  id integer primary key autoincrement, account_id integer references accounts (id), operator_role text,
  contact_id integer references contacts (id) on delete cascade, kind text not null,
  printable_id text not null unique, secret_hash text not null, previous_hash text, previous_until integer,
  name text not null, scopes text not null, allow text not null, rate integer not null, burst integer not null,
  created_at integer not null, expires_at integer, revoked_at integer,
  last_used_at integer, last_used_address text, site_hash text);

CREATE INDEX keys_of_account on keys (account_id, id);

CREATE TABLE meta (name text primary key not null, value text not null);

CREATE TABLE meters (port_id integer primary key not null references ports (id), meter text not null);

CREATE TABLE migrations (name text primary key not null);

CREATE TABLE netblock_holdings (
  id integer primary key autoincrement, cidr text not null, first text not null, last text not null,
  account_id integer not null references accounts (id), service_id integer not null,
  held_from integer not null, held_until integer);

CREATE INDEX netblock_holdings_by_first on netblock_holdings (first);

CREATE TABLE netblock_requests (
  id integer primary key autoincrement, account_id integer not null references accounts (id), service_id integer not null,
  family text not null, prefix_length integer not null, status text not null, cidr text not null, created_at integer not null);

CREATE INDEX netblock_requests_of_account on netblock_requests (account_id, id);

CREATE TABLE netblock_units (
  unit text primary key not null, netblock_id integer not null references netblocks (id) on delete cascade);

CREATE TABLE netblocks (
  id integer primary key autoincrement, cidr text not null unique, first text not null, last text not null,
  account_id integer references accounts (id), service_id integer references services (id), origin text not null default 'site', pool text);

CREATE INDEX netblocks_by_first on netblocks (first);

CREATE INDEX netblocks_of_account on netblocks (account_id, first);

CREATE TABLE payments (
  id integer primary key autoincrement, account_id integer not null references accounts (id), invoice_id integer not null references invoices (id),
  amount_cents integer not null, paid_at integer not null, method text not null, reference text not null);

CREATE INDEX payments_of_account on payments (account_id, id);

CREATE INDEX payments_of_invoice on payments (invoice_id, id);

CREATE TABLE ports (
  id integer primary key autoincrement, switch text not null references switches (name), if_index integer not null,
  service_id integer references services (id), alias text not null, speed integer not null, unique (switch, if_index));

CREATE INDEX ports_of_service on ports (service_id);

CREATE TABLE reconcilers (
  name text primary key not null, run_at integer not null, signals integer not null, holder text,
  lease_until integer not null, last_success_at integer, last_duration_ms integer, last_error text,
  backlog integer not null);

CREATE TABLE records (
  id integer primary key autoincrement, account_id integer references accounts (id), zone_id integer not null references zones (id) on delete cascade,
  name text not null, path text not null, type integer not null, ttl integer not null, content text not null,
  rdata blob not null, address text);

CREATE INDEX records_by_address on records (address) where address is not null;

CREATE INDEX records_by_path on records (zone_id, path);

CREATE INDEX records_of_zone on records (zone_id, id);

CREATE TABLE serial_lines (
  server text primary key not null references servers (name), holder text, held_until integer not null, wanted_by text,
  wanted_until integer not null, ring blob not null);

CREATE TABLE servers (
  name text primary key not null, bmc_driver text not null, bmc_settings text not null, bmc_revision integer not null,
  bmc_model text not null, console_host text not null, parts text not null,
  power_state text check (power_state in ('on', 'off')), power_source text, power_seen_at integer, power_error text,
  next_look_at integer not null);

CREATE INDEX servers_by_look on servers (next_look_at);

CREATE TABLE services (
  id integer primary key not null, account_id integer not null references accounts (id),
  type text not null check (type in ('dedicated', 'vps', 'cloud')), name text not null, hostname text not null,
  status text not null check (status in ('Pending', 'Active', 'Suspended', 'Terminated')),
  ip text not null, server text unique, vmid integer unique, created_at integer not null);

CREATE INDEX services_of_account on services (account_id, id);

CREATE TABLE sign_ins (
  email text primary key not null, account_id integer not null references accounts (id),
  contact_id integer references contacts (id) on delete cascade);

CREATE TABLE switches (
  name text primary key not null, driver text not null, settings text not null, revision integer not null,
  next_poll_at integer not null, last_poll_at integer, poll_error text);

CREATE INDEX switches_by_poll on switches (next_poll_at);

CREATE TABLE traffic_days (
  port_id integer not null references ports (id), day_start integer not null, packed blob not null,
  primary key (port_id, day_start));

CREATE INDEX traffic_days_by_day on traffic_days (day_start);

CREATE TABLE webhooks (
  id integer primary key autoincrement, account_id integer not null references accounts (id), url text not null, description text not null,
  events text not null, status text not null check (status in ('Active', 'Off')), reason text not null,
  secret text not null, previous_secret text, previous_until integer, created_at integer not null);

CREATE INDEX webhooks_of_account on webhooks (account_id, id);

CREATE TABLE workflows (
  id text primary key not null, account_id integer not null references accounts (id), service_id integer,
  name text not null, version integer not null, operation text not null, status text not null, direction text not null,
  position integer not null, step text not null, step_since integer not null, tries integer not null,
  progress integer not null, input text not null, outputs text not null, error_code text, error_reason text,
  cancel_requested integer not null, created_at integer not null, ended_at integer, revision integer not null);

CREATE INDEX workflows_by_end on workflows (ended_at);

CREATE INDEX workflows_of_account on workflows (account_id, id);

CREATE TABLE zone_publications (
  zone text primary key not null, holder text not null, lease_until integer not null);

CREATE TABLE zone_versions (
  zone_id integer not null references zones (id) on delete cascade, version integer not null, at integer not null,
  operation text not null, serial integer not null, removed text not null, added text not null,
  primary key (zone_id, version));

CREATE TABLE zones (
  id integer primary key autoincrement, account_id integer references accounts (id), name text not null unique,
  kind text not null check (kind in ('forward', 'reverse')), revision integer not null, record_count integer not null,
  created_at integer not null);

CREATE INDEX zones_of_account on zones (account_id, id);
