CREATE TABLE account_export_parts (export_id integer not null references account_exports (id) on delete cascade,
  position integer not null, content blob not null, primary key (export_id, position));

CREATE TABLE account_exports (id integer primary key autoincrement, account_id integer not null references accounts (id), operator text,
  reason text not null, status text not null, size_bytes integer not null, error text not null,
  created_at integer not null, ready_at integer, expires_at integer not null);

CREATE INDEX account_exports_by_expiry on account_exports (expires_at);

CREATE INDEX account_exports_of_account on account_exports (account_id, id);

CREATE TABLE account_notes (id integer primary key autoincrement, account_id integer not null references accounts (id), operator text not null,
  text text not null, created_at integer not null, changed_at integer);

CREATE INDEX account_notes_of_account on account_notes (account_id, id);

CREATE TABLE account_taxes (account_id integer primary key not null references accounts (id),
  kind text not null check (kind in ('business', 'private')), vat_number text not null, reference text not null,
  endpoint text not null, attachment text not null, order_country text not null, state text not null,
  checked_at integer, next_check_at integer, failing_since integer, override text not null,
  override_reason text not null, changed_at integer not null, pdf text not null default 'automatic', delivery text not null default 'email');

CREATE INDEX account_taxes_by_check on account_taxes (next_check_at);

CREATE INDEX account_taxes_by_state on account_taxes (state, account_id);

CREATE TABLE account_terms (account_id integer not null references accounts (id), version text not null,
  url text not null, accepted_at integer not null, address text not null, primary key (account_id, version));

CREATE TABLE accounts (
  id integer primary key not null, firstname text not null, lastname text not null, companyname text not null, email text not null,
  address1 text not null, address2 text not null, city text not null, state text not null, postcode text not null,
  country text not null, phonenumber text not null, password_hash text,
  status text not null check (status in ('Active', 'Suspended', 'Closed')),
  currency text not null, currency_prefix text not null, currency_suffix text not null,
  created_at integer not null,
  last_login_at integer, last_login_address text, last_login_host text, password_temporary_until integer);

CREATE INDEX accounts_by_currency on accounts (currency) where status <> 'Closed';

CREATE INDEX accounts_by_status on accounts (status, id);

CREATE TRIGGER accounts_search_delete after delete on accounts begin insert into accounts_search (accounts_search, rowid, text) values ('delete', old.id, old.firstname || ' ' || old.lastname || '
' || old.companyname || '
' || old.email); end;

CREATE TRIGGER accounts_search_insert after insert on accounts begin insert into accounts_search (rowid, text) values (new.id, new.firstname || ' ' || new.lastname || '
' || new.companyname || '
' || new.email); end;

CREATE TRIGGER accounts_search_update after update on accounts when old.firstname || ' ' || old.lastname || '
' || old.companyname || '
' || old.email <> new.firstname || ' ' || new.lastname || '
' || new.companyname || '
' || new.email begin insert into accounts_search (accounts_search, rowid, text) values ('delete', old.id, old.firstname || ' ' || old.lastname || '
' || old.companyname || '
' || old.email); insert into accounts_search (rowid, text) values (new.id, new.firstname || ' ' || new.lastname || '
' || new.companyname || '
' || new.email); end;

CREATE TRIGGER postal_search_delete after delete on accounts begin insert into postal_search (postal_search, rowid, text) values ('delete', old.id, old.address1 || '
' || old.address2 || '
' || old.postcode || ' ' || old.city || '
' || old.phonenumber); end;

CREATE TRIGGER postal_search_insert after insert on accounts begin insert into postal_search (rowid, text) values (new.id, new.address1 || '
' || new.address2 || '
' || new.postcode || ' ' || new.city || '
' || new.phonenumber); end;

CREATE TRIGGER postal_search_update after update on accounts when old.address1 || '
' || old.address2 || '
' || old.postcode || ' ' || old.city || '
' || old.phonenumber <> new.address1 || '
' || new.address2 || '
' || new.postcode || ' ' || new.city || '
' || new.phonenumber begin insert into postal_search (postal_search, rowid, text) values ('delete', old.id, old.address1 || '
' || old.address2 || '
' || old.postcode || ' ' || old.city || '
' || old.phonenumber); insert into postal_search (rowid, text) values (new.id, new.address1 || '
' || new.address2 || '
' || new.postcode || ' ' || new.city || '
' || new.phonenumber); end;

CREATE VIRTUAL TABLE accounts_search using fts5 (text, content = 'accounts_search_texts', content_rowid = 'id', tokenize = 'trigram');

CREATE TABLE 'accounts_search_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'accounts_search_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'accounts_search_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'accounts_search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE VIEW accounts_search_texts as select id, accounts.firstname || ' ' || accounts.lastname || '
' || accounts.companyname || '
' || accounts.email as text from accounts;

CREATE TABLE alias_addresses (
  record_id integer not null references aliases (record_id) on delete cascade, type integer not null,
  ttl integer not null, rdata blob not null, primary key (record_id, type, rdata));

CREATE TRIGGER alias_addresses_log_delete after delete on alias_addresses begin insert into zone_changes (zone_id, path) select zone_id, path from records where records.id = old.record_id; end;

CREATE TRIGGER alias_addresses_log_insert after insert on alias_addresses begin insert into zone_changes (zone_id, path) select zone_id, path from records where records.id = new.record_id; end;

CREATE TRIGGER alias_addresses_log_update after update on alias_addresses begin insert into zone_changes (zone_id, path) select zone_id, path from records where records.id = new.record_id; end;

CREATE TABLE aliases (
  record_id integer primary key not null references records (id) on delete cascade,
  account_id integer not null references accounts (id), zone_id integer not null,
  next_look_at integer not null, failing_since integer, failures integer not null);

CREATE INDEX aliases_by_next_look on aliases (next_look_at);

CREATE INDEX aliases_of_account on aliases (account_id);

CREATE INDEX aliases_of_zone on aliases (zone_id);

CREATE TABLE attack_logs (
  attack_id integer not null references attacks (id), at integer not null, figures text not null,
  primary key (attack_id, at));

CREATE TABLE attack_records (
  id integer primary key autoincrement, attack_id integer not null references attacks (id), direction text not null, unit text not null,
  protocol text not null, filters text not null, value integer not null, sensor_type text not null,
  sensor_interface text not null, first_at integer not null, last_at integer not null, ticks integer not null,
  unique (attack_id, direction, unit, protocol));

CREATE TABLE attacks (
  id integer primary key autoincrement, detector text not null, attack text not null, address text not null,
  account_id integer references accounts (id), service_id integer, device text not null, network text not null,
  started_at integer not null, ended_at integer, seen_at integer not null);

CREATE INDEX attacks_by_end on attacks (ended_at);

CREATE INDEX attacks_of_address on attacks (detector, address, attack, id);

CREATE INDEX attacks_of_service on attacks (service_id, id);

CREATE UNIQUE INDEX attacks_open on attacks (detector, address, attack) where ended_at is null;

CREATE INDEX attacks_open_of_address on attacks (address) where ended_at is null;

CREATE TABLE audit (
  id integer primary key autoincrement, account_id integer not null references accounts (id), at integer not null, address text not null,
  key_id integer, contact_id integer, operation text not null, target text not null, outcome text not null,
  request_id text not null, previous text not null, hash text not null, operator text);

CREATE INDEX audit_by_operation on audit (operation, id);

CREATE INDEX audit_by_operator on audit (operator, id);

CREATE INDEX audit_by_outcome on audit (outcome, id);

CREATE TRIGGER audit_keeps_from_delete before delete on audit when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'audit is append-only'); end;

CREATE TRIGGER audit_keeps_from_update before update on audit when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'audit is append-only'); end;

CREATE INDEX audit_of_account on audit (account_id, id);

CREATE INDEX audit_of_staff on audit (id) where operator is not null;

CREATE TABLE audit_tips (account_id integer primary key not null references accounts (id), hash text not null, events integer not null default 0);

CREATE TABLE backup_transfers (id text not null, account_id integer not null references accounts (id),
  service_id integer not null references services (id), backup_id text not null, kind text not null,
  state text not null, code text not null, detail text not null, created_at integer not null, target_id integer, part integer, volume_id integer, primary key (id));

CREATE INDEX backup_transfers_of_account on backup_transfers (account_id, id);

CREATE INDEX backup_transfers_of_service on backup_transfers (service_id, id);

CREATE TABLE bandwidth_notices (account_id integer not null references accounts (id), service_id integer not null references services (id),
  month integer not null, threshold integer not null, created_at integer not null,
  primary key (service_id, month, threshold));

CREATE INDEX bandwidth_notices_of_account on bandwidth_notices (account_id, service_id, month);

CREATE TABLE billing_accounts (
  account_id integer primary key not null references accounts (id), bill_day integer not null,
  next_day integer, last_day integer, run_day integer, revision integer not null);

CREATE INDEX billing_accounts_due on billing_accounts (next_day);

CREATE TABLE billing_suspensions (
  account_id integer primary key not null references accounts (id), since integer not null, services text not null);

CREATE TABLE bmc_users (
  server text not null references servers (name), name text not null, service_id integer not null, kind text not null,
  created_at integer not null, expires_at integer, enabled integer default 1, primary key (server, name));

CREATE TABLE cancellations (service_id integer not null references services (id), account_id integer not null references accounts (id), until_day integer not null,
  otherwise_day integer, requested_at integer not null, requested_by text not null, reason text not null, noticed_at integer, held_at integer, hold_reason text not null default '', ended_at integer, workflow text, primary key (service_id));

CREATE INDEX cancellations_by_day on cancellations (until_day, service_id);

CREATE INDEX cancellations_of_account on cancellations (account_id, service_id);

CREATE INDEX cancellations_to_end on cancellations (until_day, service_id) where ended_at is null;

CREATE TABLE certificates (
  id text primary key not null, server text not null references servers (name), issued_at integer not null, signed text not null,
  former_account_id integer references accounts (id), former_service_id integer,
  account_id integer references accounts (id), service_id integer);

CREATE INDEX certificates_of_former_service on certificates (former_account_id, former_service_id);

CREATE INDEX certificates_of_server on certificates (server, id);

CREATE INDEX certificates_of_service on certificates (account_id, service_id);

CREATE TABLE charges (
  account_id integer not null references accounts (id), period_day integer not null, kind text not null, subject text not null,
  from_day integer not null, until_day integer not null, amount_cents integer not null,
  invoice_id integer not null references invoices (id), primary key (account_id, period_day, kind, subject, from_day));

CREATE TRIGGER charges_keeps_from_delete before delete on charges when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'charges is append-only'); end;

CREATE TRIGGER charges_keeps_from_update before update on charges when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'charges is append-only'); end;

CREATE TABLE console_forwards (
  port integer primary key not null, session_id text not null references console_sessions (id) on delete cascade,
  target integer not null);

CREATE INDEX console_forwards_of_session on console_forwards (session_id);

CREATE TABLE console_sessions (
  id text primary key not null, account_id integer not null references accounts (id), service_id integer not null,
  key_id integer not null, address text not null, server text not null, username text not null, password text not null,
  link text, link_expires_at integer, cookie text, expires_at integer not null,
  foreign key (server, username) references bmc_users (server, name) on delete cascade);

CREATE INDEX console_sessions_of_user on console_sessions (server, username);

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
  status text not null, created_at integer not null, services text);

CREATE INDEX contacts_of_account on contacts (account_id, id);

CREATE TRIGGER contacts_search_delete after delete on contacts begin insert into contacts_search (contacts_search, rowid, text) values ('delete', old.id, old.firstname || ' ' || old.lastname || '
' || old.companyname || '
' || old.email); end;

CREATE TRIGGER contacts_search_insert after insert on contacts begin insert into contacts_search (rowid, text) values (new.id, new.firstname || ' ' || new.lastname || '
' || new.companyname || '
' || new.email); end;

CREATE TRIGGER contacts_search_update after update on contacts when old.firstname || ' ' || old.lastname || '
' || old.companyname || '
' || old.email <> new.firstname || ' ' || new.lastname || '
' || new.companyname || '
' || new.email begin insert into contacts_search (contacts_search, rowid, text) values ('delete', old.id, old.firstname || ' ' || old.lastname || '
' || old.companyname || '
' || old.email); insert into contacts_search (rowid, text) values (new.id, new.firstname || ' ' || new.lastname || '
' || new.companyname || '
' || new.email); end;

CREATE VIRTUAL TABLE contacts_search using fts5 (text, content = 'contacts_search_texts', content_rowid = 'id', tokenize = 'trigram');

CREATE TABLE 'contacts_search_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'contacts_search_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'contacts_search_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'contacts_search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE VIEW contacts_search_texts as select id, contacts.firstname || ' ' || contacts.lastname || '
' || contacts.companyname || '
' || contacts.email as text from contacts;

CREATE TABLE coupon_redemptions (account_id integer not null references accounts (id), code text not null references coupons (code),
  redeemed_at integer not null, periods_used integer not null, primary key (account_id, code));

CREATE INDEX coupon_redemptions_of_coupon on coupon_redemptions (code);

CREATE TABLE coupons (code text primary key not null, percent integer, amount_cents integer,
  max_uses integer, uses integer not null, periods integer, from_day integer, until_day integer,
  plans text not null, note text not null, created_at integer not null, ended_at integer,
  check ((percent is null) <> (amount_cents is null)));

CREATE TABLE deliveries (
  id integer primary key autoincrement, account_id integer not null references accounts (id),
  webhook_id integer not null references webhooks (id) on delete cascade, lane integer not null,
  sequence integer not null, status text not null check (status in ('Pending', 'Delivered', 'Failed')),
  attempts integer not null, next_at integer not null, last_at integer, answer integer, error text not null,
  replay_of integer, created_at integer not null);

CREATE INDEX deliveries_of_account on deliveries (account_id, id);

CREATE INDEX deliveries_of_webhook on deliveries (webhook_id, id);

CREATE INDEX deliveries_pending on deliveries (webhook_id, lane, id) where status = 'Pending';

CREATE TABLE detectors (name text primary key not null, settings text not null);

CREATE TABLE device_holds (
  device text not null, kind text not null check (kind in ('locked', 'maintenance')), reason text not null,
  operator text not null, since integer not null, primary key (device, kind));

CREATE TABLE device_images (
  service_id integer primary key not null, account_id integer not null references accounts (id), image text not null,
  state text not null, link_hash text, changed_at integer not null);

CREATE UNIQUE INDEX device_images_by_link on device_images (link_hash);

CREATE TABLE device_locks (
  device text primary key not null, holder text not null, purpose text not null, held_until integer not null);

CREATE TABLE device_meters (
  kind text not null check (kind in ('port', 'machine')), device text not null, version integer not null,
  meters blob not null, primary key (kind, device));

CREATE TABLE dunning_holds (account_id integer primary key not null references accounts (id),
  since integer not null, operator text not null, reason text not null);

CREATE TABLE erasures (account_id integer primary key not null references accounts (id), status text not null,
  operator text, reason text not null, requested_at integer not null, erase_at integer not null,
  erased_at integer, kept_until integer, purged_at integer);

CREATE INDEX erasures_by_status on erasures (status, erase_at);

CREATE TABLE events (
  account_id integer not null references accounts (id), sequence integer not null, type text not null,
  version integer not null, service_id integer, data text not null, at integer not null,
  primary key (account_id, sequence)) without rowid;

CREATE TABLE exchange_rates (currency text not null, day integer not null, micros integer not null,
  source text not null, at integer not null, primary key (currency, day));

CREATE TABLE former_zones (
  name text primary key not null, serial integer not null, deleted_at integer not null);

CREATE INDEX former_zones_by_deletion on former_zones (deleted_at);

CREATE TABLE idempotency (
  account_id integer not null references accounts (id), method text not null, path text not null, key text not null,
  fingerprint text not null, status integer, body text, claimed_by text not null, claimed_until integer not null,
  expires_at integer not null, primary key (account_id, method, path, key));

CREATE INDEX idempotency_by_expiry on idempotency (expires_at);

CREATE TABLE image_uploads (
  workflow_id text primary key not null, account_id integer not null references accounts (id), service_id integer not null,
  image text not null, link_hash text not null, size_bytes integer not null, answered integer not null,
  copy text not null check (copy in ('None', 'Running', 'Complete', 'Altered')), sent_bytes integer not null,
  sent_at integer not null);

CREATE UNIQUE INDEX image_uploads_by_link on image_uploads (link_hash);

CREATE INDEX image_uploads_of_service on image_uploads (service_id);

CREATE TABLE impersonations (
  id integer primary key autoincrement, account_id integer not null references accounts (id), operator_id integer not null references operators (id),
  operator text not null, reason text not null, key_id integer not null, created_at integer not null,
  expires_at integer not null, ended_at integer, ended_by text check (ended_by in ('Staff', 'Customer')));

CREATE INDEX impersonations_of_account on impersonations (account_id, id);

CREATE INDEX impersonations_of_operator on impersonations (operator_id, ended_at);

CREATE TABLE invitations (id integer primary key autoincrement, account_id integer not null references accounts (id),
  contact_id integer not null references contacts (id) on delete cascade, token_hash text not null unique,
  email text not null, permissions text not null, invited_by text not null, created_at integer not null, expires_at integer not null, services text);

CREATE INDEX invitations_by_contact on invitations (contact_id);

CREATE INDEX invitations_by_expiry on invitations (expires_at);

CREATE UNIQUE INDEX invitations_of_contact on invitations (account_id, contact_id);

CREATE TABLE invoice_deliveries (id integer primary key autoincrement, account_id integer not null references accounts (id),
  invoice_id integer not null references invoices (id), attempt integer not null, format text not null,
  state text not null check (state in ('queued', 'sent', 'delivered', 'rejected')), receiver text not null,
  reference text not null, reason text not null, problem text not null, queued_at integer not null, sent_at integer,
  ended_at integer, failing_since integer, next_try_at integer);

CREATE INDEX invoice_deliveries_by_state on invoice_deliveries (state, id);

CREATE INDEX invoice_deliveries_due on invoice_deliveries (next_try_at) where next_try_at is not null;

CREATE INDEX invoice_deliveries_of_account on invoice_deliveries (account_id, id);

CREATE UNIQUE INDEX invoice_deliveries_of_invoice on invoice_deliveries (invoice_id, attempt);

CREATE TABLE invoice_exchanges (invoice_id integer primary key not null references invoices (id),
  account_id integer not null, currency text not null, tax_cents integer not null, rate text not null,
  rate_day integer not null);

CREATE TRIGGER invoice_exchanges_keeps_from_delete before delete on invoice_exchanges when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'invoice_exchanges is append-only'); end;

CREATE TRIGGER invoice_exchanges_keeps_from_update before update on invoice_exchanges when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'invoice_exchanges is append-only'); end;

CREATE TABLE invoice_lines (
  id integer primary key autoincrement, account_id integer not null references accounts (id), invoice_id integer not null references invoices (id),
  type text not null, service_id integer, description text not null, amount_cents integer not null, taxed integer not null, tax_position integer, corrects_line_id integer);

CREATE TRIGGER invoice_lines_keeps_from_delete before delete on invoice_lines when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'invoice_lines is append-only'); end;

CREATE TRIGGER invoice_lines_keeps_from_update before update on invoice_lines when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'invoice_lines is append-only'); end;

CREATE INDEX invoice_lines_of_invoice on invoice_lines (invoice_id, id);

CREATE TABLE invoice_notices (
  invoice_id integer not null references invoices (id), kind text not null, account_id integer not null references accounts (id),
  at integer not null, primary key (invoice_id, kind));

CREATE TABLE invoice_numbers (series text primary key not null, last integer not null);

CREATE TABLE invoice_parties (
  invoice_id integer primary key not null references invoices (id), account_id integer not null references accounts (id),
  seller text not null, buyer text not null);

CREATE TRIGGER invoice_parties_keeps_from_delete before delete on invoice_parties when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'invoice_parties is append-only'); end;

CREATE TRIGGER invoice_parties_keeps_from_update before update on invoice_parties when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'invoice_parties is append-only'); end;

CREATE TABLE invoice_taxes (invoice_id integer not null references invoices (id), position integer not null,
  account_id integer not null, category text not null, rate integer not null, country text not null,
  reason text not null, reason_code text not null, base_cents integer not null, tax_cents integer not null,
  primary key (invoice_id, position));

CREATE TRIGGER invoice_taxes_keeps_from_delete before delete on invoice_taxes when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'invoice_taxes is append-only'); end;

CREATE TRIGGER invoice_taxes_keeps_from_update before update on invoice_taxes when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'invoice_taxes is append-only'); end;

CREATE TABLE invoices (
  id integer primary key autoincrement, account_id integer not null references accounts (id), number text not null unique,
  day integer not null, due_day integer not null, paid_at integer,
  status text not null check (status in ('Unpaid', 'Paid', 'Cancelled')),
  subtotal_cents integer not null, credit_cents integer not null, tax_cents integer not null,
  tax2_cents integer not null, total_cents integer not null, tax_rate integer not null, tax_rate2 integer not null,
  payment_method text not null, notes text not null, kind text not null default 'Invoice' check (kind in ('Invoice', 'CreditNote')), corrects_id integer references invoices (id));

CREATE INDEX invoices_by_day on invoices (day, id);

CREATE INDEX invoices_by_number_prefix on invoices (upper(number));

CREATE INDEX invoices_by_status on invoices (status, id);

CREATE TRIGGER invoices_keeps_from_delete before delete on invoices when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'invoices is append-only'); end;

CREATE TRIGGER invoices_keeps_from_update before update of id, account_id, number, day, due_day, subtotal_cents, credit_cents, tax_cents, tax2_cents, total_cents, tax_rate,
  tax_rate2, payment_method, notes, kind, corrects_id on invoices when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'invoices is append-only'); end;

CREATE INDEX invoices_newest on invoices (account_id, id);

CREATE INDEX invoices_of_account on invoices (account_id, status, id);

CREATE INDEX invoices_open on invoices (due_day) where status = 'Unpaid';

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
  last_used_at integer, last_used_address text, site_hash text, operator_id integer references operators (id), previous_login_at integer, previous_login_address text, previous_login_host text, tsig_algorithm text, tsig_secret text, dns_limits text, session_method text, user_agent text, services text);

CREATE INDEX keys_by_contact_id on keys (contact_id) where contact_id is not null;

CREATE INDEX keys_by_expiry on keys (expires_at) where expires_at is not null;

CREATE INDEX keys_by_operator_id on keys (operator_id) where operator_id is not null;

CREATE INDEX keys_of_account on keys (account_id, id);

CREATE TABLE known_networks (
  account_id integer references accounts (id), contact_id integer references contacts (id) on delete cascade,
  operator_id integer references operators (id), network text not null, seen_at integer not null);

CREATE INDEX known_networks_by_account_id on known_networks (account_id) where account_id is not null;

CREATE INDEX known_networks_by_contact_id on known_networks (contact_id) where contact_id is not null;

CREATE INDEX known_networks_by_operator_id on known_networks (operator_id) where operator_id is not null;

CREATE UNIQUE INDEX known_networks_of_person on known_networks (
  network, coalesce(account_id, -1), coalesce(contact_id, -1), coalesce(operator_id, -1));

CREATE TABLE ledger (
  id integer primary key autoincrement, account_id integer not null references accounts (id), at integer not null,
  debit text not null, credit text not null, amount_cents integer not null check (amount_cents > 0),
  kind text not null, invoice_id integer references invoices (id), reference text not null, check (debit <> credit));

CREATE INDEX ledger_by_time on ledger (account_id, at);

CREATE INDEX ledger_in_order on ledger (at, id);

CREATE TRIGGER ledger_keeps_from_delete before delete on ledger when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'ledger is append-only'); end;

CREATE TRIGGER ledger_keeps_from_update before update on ledger when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'ledger is append-only'); end;

CREATE INDEX ledger_of_account on ledger (account_id, debit, credit, amount_cents);

CREATE TABLE licence_prices (name text primary key not null, price_cents integer not null check (price_cents >= 0), label text not null default '');

CREATE TABLE licences (
  id integer primary key autoincrement, account_id integer not null references accounts (id), service_id integer not null references services (id),
  name text not null, status text not null check (status in ('Pending', 'Active', 'Cancelled', 'Ended')),
  price_cents integer not null, from_day integer not null, until_day integer, billed_until integer not null,
  licence_key text, workflow_id text not null, created_at integer not null);

CREATE INDEX licences_by_status on licences (status, id);

CREATE INDEX licences_of_account on licences (account_id, service_id);

CREATE UNIQUE INDEX licences_once on licences (service_id, name) where status <> 'Ended';

CREATE TABLE machine_backup_plans (account_id integer not null references accounts (id),
  service_id integer not null references services (id), password text not null, is_created integer not null,
  frequency text not null, weekday integer not null, hour integer not null, keep_daily integer not null,
  keep_weekly integer not null, keep_monthly integer not null, next_at integer, failures integer not null,
  error text not null, stored_bytes integer not null, needs_prune integer not null, with_volumes integer not null default 0, primary key (service_id));

CREATE INDEX machine_backup_plans_due on machine_backup_plans (next_at, service_id) where next_at is not null;

CREATE INDEX machine_backup_plans_failing on machine_backup_plans (service_id) where failures > 0;

CREATE INDEX machine_backup_plans_of_account on machine_backup_plans (account_id, service_id);

CREATE INDEX machine_backup_plans_to_prune on machine_backup_plans (service_id) where needs_prune = 1;

CREATE TABLE machine_backup_volumes (backup_id text not null references machine_backups (id) on delete cascade,
  volume_id integer not null, account_id integer not null references accounts (id), name text not null,
  size_gb integer not null, snapshot text, digest text, size_bytes integer not null,
  primary key (backup_id, volume_id));

CREATE INDEX machine_backup_volumes_of_account on machine_backup_volumes (account_id, backup_id);

CREATE TABLE machine_backups (id text not null, account_id integer not null references accounts (id),
  service_id integer not null references services (id), state text not null, source text not null,
  hostname text not null, template text not null, snapshot text, digest text, size_bytes integer not null,
  added_bytes integer not null, is_consistent integer not null, created_at integer not null,
  verified_at integer, verify_error text not null, kind text not null default 'Xen', disk_gb integer not null default 0, primary key (id));

CREATE INDEX machine_backups_of_account on machine_backups (account_id, id);

CREATE INDEX machine_backups_of_service on machine_backups (service_id, created_at, id);

CREATE TABLE machine_copies (node text not null references nodes (name),
  service_id integer not null references services (id), account_id integer not null references accounts (id),
  vmid integer not null, source text not null, workflow_id text not null, mode text,
  memory_mb integer not null, disk_gb integer not null, copied_bytes integer not null default 0,
  total_bytes integer not null default 0, progress_at integer not null, is_obsolete integer not null default 0,
  created_at integer not null, primary key (node, service_id));

CREATE INDEX machine_copies_obsolete on machine_copies (service_id) where is_obsolete = 1;

CREATE INDEX machine_copies_of_service on machine_copies (service_id);

CREATE TABLE machine_days (
  service_id integer not null references services (id), series text not null, day_start integer not null,
  packed blob not null, primary key (service_id, series, day_start));

CREATE INDEX machine_days_by_day on machine_days (day_start);

CREATE TABLE machine_deletions (service_id integer not null references services (id), account_id integer not null references accounts (id),
  deleted_at integer not null, expires_at integer not null, stopped_at integer, until_day integer,
  otherwise_day integer, primary key (service_id));

CREATE INDEX machine_deletions_by_end on machine_deletions (expires_at, service_id);

CREATE INDEX machine_deletions_of_account on machine_deletions (account_id, service_id);

CREATE INDEX machine_deletions_running on machine_deletions (service_id) where stopped_at is null;

CREATE TABLE machine_groups (id integer primary key autoincrement, account_id integer not null references accounts (id), name text not null, created_at integer not null);

CREATE UNIQUE INDEX machine_groups_of_account on machine_groups (account_id, name);

CREATE TABLE machine_images (id integer primary key autoincrement, account_id integer not null references accounts (id),
  service_id integer not null references services (id), name text not null, state text not null, reason text not null default '', size_bytes integer,
  created_at integer not null, template text not null, kind text not null,
  node text not null, disk_gb integer not null);

CREATE INDEX machine_images_of_account on machine_images (account_id, id);

CREATE INDEX machine_images_of_service on machine_images (service_id, id);

CREATE INDEX machine_images_to_delete on machine_images (id) where state = 'deleting';

CREATE TABLE machine_meters (
  service_id integer primary key not null references services (id), node text not null, meters text not null);

CREATE TABLE machine_snapshots (id integer primary key autoincrement, account_id integer not null references accounts (id),
  service_id integer not null references services (id), name text not null, state text not null, reason text not null default '', size_bytes integer,
  created_at integer not null, template text not null, is_consistent integer);

CREATE INDEX machine_snapshots_of_account on machine_snapshots (account_id, id);

CREATE INDEX machine_snapshots_of_service on machine_snapshots (service_id, id);

CREATE INDEX machine_snapshots_to_delete on machine_snapshots (id) where state = 'deleting';

CREATE TABLE machines (
  service_id integer primary key not null references services (id), account_id integer not null references accounts (id),
  vmid integer not null unique, kind text not null check (kind in ('Xen', 'OpenVZ')),
  state text not null check (state in ('pending', 'ready')), reason text not null, wanted_node text,
  node text references nodes (name), member text, template text not null, vcpus integer not null,
  memory_mb integer not null, disk_gb integer not null, bandwidth_gb integer not null, mac text not null,
  power_state text check (power_state in ('on', 'off')), power_source text, power_seen_at integer, power_error text,
  install_secret text, untidy integer not null,
  traffic_month integer not null, traffic_bytes integer not null, networks text, detail text not null default '', attempts integer not null default 0, next_attempt_at integer not null default 0, addresses_digest text, wanted_location text, group_id integer references machine_groups (id), is_protected integer not null default 0, install_data text, hypervisor_name text, unfiltered integer not null default 0, from_backup text);

CREATE INDEX machines_by_attempt on machines (next_attempt_at) where state = 'pending';

CREATE UNIQUE INDEX machines_by_hypervisor_name on machines (node, hypervisor_name) where hypervisor_name is not null;

CREATE INDEX machines_by_mac on machines (mac);

CREATE INDEX machines_by_state on machines (state, next_attempt_at);

CREATE INDEX machines_by_untidiness on machines (untidy, service_id);

CREATE INDEX machines_from_backup on machines (from_backup) where from_backup is not null;

CREATE INDEX machines_in_order on machines (account_id, service_id);

CREATE INDEX machines_misplaced on machines (vmid) where untidy < 2 and (state = 'pending' or (wanted_node is not null and node <> wanted_node));

CREATE INDEX machines_of_account on machines (account_id, vmid);

CREATE INDEX machines_of_group on machines (group_id) where group_id is not null;

CREATE INDEX machines_of_node on machines (node, vmid);

CREATE INDEX machines_unfiltered on machines (untidy) where state = 'ready' and networks is null;

CREATE INDEX machines_untidy on machines (service_id) where untidy = 1;

CREATE INDEX machines_without_filter on machines (state, unfiltered, untidy) where networks is null;

CREATE TABLE mail_bounces (account_id integer not null references accounts (id), address text not null, count integer not null,
  diagnostic text not null, bounced_at integer not null, undeliverable_since integer,
  primary key (account_id, address));

CREATE INDEX mail_bounces_undeliverable on mail_bounces (account_id, address)
  where undeliverable_since is not null;

CREATE TABLE mail_choices (account_id integer not null, contact_id integer not null, language text not null,
  off_kinds text not null, primary key (account_id, contact_id));

CREATE TABLE mails (id integer primary key autoincrement, account_id integer not null, contact_id integer, address text not null,
  kind text not null, sequence integer, details text, language text not null, status text not null,
  attempts integer not null, next_at integer not null, created_at integer not null, sent_at integer,
  relay text not null, error text not null, subject text not null, body text not null,
  resend_of integer, summary_id integer);

CREATE INDEX mails_by_account on mails (account_id, created_at);

CREATE INDEX mails_by_address on mails (address, created_at);

CREATE INDEX mails_of_account on mails (account_id, id);

CREATE INDEX mails_pending on mails (status, created_at) where status in ('Queued', 'Held');

CREATE TABLE maintenance_services (maintenance_id integer not null references maintenances (id), account_id integer not null references accounts (id),
  service_id integer not null references services (id), primary key (maintenance_id, service_id));

CREATE INDEX maintenance_services_by_account on maintenance_services (maintenance_id, account_id);

CREATE INDEX maintenance_services_of_account on maintenance_services (account_id, maintenance_id, service_id);

CREATE INDEX maintenance_services_of_service on maintenance_services (service_id);

CREATE TABLE maintenances (id integer primary key autoincrement, title text not null, text text not null, start_at integer not null,
  end_at integer not null, status text not null check (status in ('Draft', 'Announced', 'Cancelled', 'Completed')),
  targets text not null, operator text not null, revision integer not null, created_at integer not null,
  updated_at integer not null);

CREATE TABLE meta (name text primary key not null, value text not null);

CREATE TABLE meters (port_id integer primary key not null references ports (id), meter text not null);

CREATE TABLE migrations (name text primary key not null);

CREATE TABLE netblock_holdings (
  id integer primary key autoincrement, cidr text not null, first text not null, last text not null,
  account_id integer not null references accounts (id), service_id integer not null,
  held_from integer not null, held_until integer);

CREATE INDEX netblock_holdings_by_first on netblock_holdings (first);

CREATE INDEX netblock_holdings_current on netblock_holdings (cidr) where held_until is null;

CREATE INDEX netblock_holdings_of_account on netblock_holdings (account_id);

CREATE TABLE netblock_requests (
  id integer primary key autoincrement, account_id integer not null references accounts (id), service_id integer not null,
  family text not null, prefix_length integer not null, status text not null, cidr text not null, created_at integer not null, decided_at integer, reason text not null default '');

CREATE INDEX netblock_requests_by_status on netblock_requests (status, id);

CREATE INDEX netblock_requests_of_account on netblock_requests (account_id, id);

CREATE TABLE netblock_units (
  unit text primary key not null, netblock_id integer not null references netblocks (id) on delete cascade);

CREATE INDEX netblock_units_by_netblock_id on netblock_units (netblock_id) where netblock_id is not null;

CREATE TABLE netblocks (
  id integer primary key autoincrement, cidr text not null unique, first text not null, last text not null,
  account_id integer references accounts (id), service_id integer references services (id), origin text not null default 'site', pool text, gateway text, delivery text);

CREATE INDEX netblocks_by_first on netblocks (first);

CREATE INDEX netblocks_delivered on netblocks (first) where delivery is not null;

CREATE INDEX netblocks_of_account on netblocks (account_id, first);

CREATE INDEX netblocks_of_service on netblocks (service_id, first) where service_id is not null;

CREATE INDEX netblocks_pools on netblocks (first) where pool is not null;

CREATE TABLE nodes (
  name text primary key not null, driver text not null, settings text not null, revision integer not null,
  name_servers text not null, next_look_at integer not null, seen_at integer, error text, removed_at integer, next_sample_at integer not null default 0, sampled_since integer not null default 0, error_text text not null default '', capacity text, capacity_at integer, location text not null default '', maintenance_since integer, maintenance_reason text not null default '', evacuation_since integer, evacuation_ended_at integer, evacuation_mode text not null default 'auto');

CREATE TABLE nullroutes (
  id integer primary key autoincrement, address text not null, account_id integer not null references accounts (id),
  service_id integer not null, attack_id integer references attacks (id), origin text not null, reason text not null,
  created_at integer not null, ends_at integer, announced_at integer, removed_at integer, withdrawn_at integer);

CREATE INDEX nullroutes_by_end on nullroutes (withdrawn_at);

CREATE INDEX nullroutes_live on nullroutes (id) where withdrawn_at is null;

CREATE INDEX nullroutes_of_address on nullroutes (address, created_at);

CREATE INDEX nullroutes_of_attack on nullroutes (attack_id);

CREATE INDEX nullroutes_of_service on nullroutes (service_id, id);

CREATE UNIQUE INDEX nullroutes_open on nullroutes (address) where removed_at is null;

CREATE TABLE operators (
  id integer primary key autoincrement, name text not null unique, role text not null, status text not null check (status in ('Active', 'Ended')),
  password_hash text, totp_secret text, totp_since integer, totp_step integer not null, created_at integer not null, email text not null default '');

CREATE INDEX operators_by_email on operators (email);

CREATE TABLE passkey_challenges (
  hash text primary key not null, account_id integer references accounts (id),
  contact_id integer references contacts (id) on delete cascade, user_handle text, expires_at integer not null, operator_id integer references operators (id));

CREATE INDEX passkey_challenges_by_expiry on passkey_challenges (expires_at);

CREATE TABLE passkeys (
  id integer primary key autoincrement, account_id integer not null references accounts (id),
  contact_id integer references contacts (id) on delete cascade, credential text not null unique, public_key text not null, counter integer not null,
  transports text not null, user_handle text not null, rp_id text not null, name text not null,
  created_at integer not null, last_used_at integer, operator_id integer references operators (id));

CREATE INDEX passkeys_by_contact_id on passkeys (contact_id) where contact_id is not null;

CREATE INDEX passkeys_of_operator on passkeys (operator_id, id);

CREATE INDEX passkeys_of_person on passkeys (account_id, contact_id, id);

CREATE TABLE payment_charges (id integer primary key autoincrement, account_id integer not null references accounts (id), key text not null,
  driver text not null, method_id integer, purpose text not null check (purpose in ('invoice', 'top-up')),
  invoice_id integer references invoices (id), amount_cents integer not null check (amount_cents > 0),
  currency text not null,
  state text not null check (state in ('created', 'submitted', 'needs_action', 'succeeded', 'failed')),
  external_id text not null, checkout_id text not null, failure_code text not null, failure_message text not null,
  attempt integer not null, refunded_cents integer not null, charged_back_cents integer not null,
  created_at integer not null, changed_at integer not null, next_look_at integer);

CREATE INDEX payment_charges_by_driver on payment_charges (driver, state, id);

CREATE UNIQUE INDEX payment_charges_by_external on payment_charges (driver, external_id) where external_id <> '';

CREATE INDEX payment_charges_due on payment_charges (next_look_at);

CREATE UNIQUE INDEX payment_charges_keys on payment_charges (key);

CREATE INDEX payment_charges_of_account on payment_charges (account_id, id);

CREATE INDEX payment_charges_of_invoice on payment_charges (invoice_id);

CREATE UNIQUE INDEX payment_charges_open on payment_charges (invoice_id) where state in ('created', 'submitted');

CREATE TABLE payment_hooks (name text primary key not null, method text not null, secret text not null);

CREATE TABLE payment_methods (id integer primary key autoincrement, account_id integer not null references accounts (id), key text not null,
  driver text not null, kind text not null, label text not null, external_id text not null, external_customer text not null,
  state text not null check (state in ('pending', 'active', 'expired', 'revoked')),
  is_default integer not null check (is_default in (0, 1)), created_at integer not null, changed_at integer not null,
  next_look_at integer);

CREATE UNIQUE INDEX payment_methods_default on payment_methods (account_id) where is_default = 1;

CREATE INDEX payment_methods_due on payment_methods (next_look_at);

CREATE UNIQUE INDEX payment_methods_keys on payment_methods (key);

CREATE INDEX payment_methods_of_account on payment_methods (account_id, id);

CREATE TABLE payment_notices (id integer primary key autoincrement, driver text not null, event_id text not null, contents text not null,
  received_at integer not null, attempts integer not null, error text not null, next_look_at integer,
  unique (driver, event_id));

CREATE INDEX payment_notices_by_age on payment_notices (received_at);

CREATE INDEX payment_notices_due on payment_notices (next_look_at);

CREATE TABLE payment_refunds (id integer primary key autoincrement, account_id integer not null references accounts (id),
  charge_id integer not null references payment_charges (id), key text not null,
  amount_cents integer not null check (amount_cents > 0),
  state text not null check (state in ('created', 'submitted', 'succeeded', 'failed')), external_id text not null,
  failure_code text not null, reason text not null, created_at integer not null, changed_at integer not null,
  next_look_at integer);

CREATE INDEX payment_refunds_by_state on payment_refunds (state, id);

CREATE INDEX payment_refunds_due on payment_refunds (next_look_at);

CREATE UNIQUE INDEX payment_refunds_keys on payment_refunds (key);

CREATE INDEX payment_refunds_of_account on payment_refunds (account_id, id);

CREATE INDEX payment_refunds_of_charge on payment_refunds (charge_id);

CREATE TABLE payments (
  id integer primary key autoincrement, account_id integer not null references accounts (id), invoice_id integer not null references invoices (id),
  amount_cents integer not null, paid_at integer not null, method text not null, reference text not null, receipt_id integer references receipts (id));

CREATE INDEX payments_by_time on payments (paid_at, id);

CREATE TRIGGER payments_keeps_from_delete before delete on payments when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'payments is append-only'); end;

CREATE TRIGGER payments_keeps_from_update before update on payments when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'payments is append-only'); end;

CREATE INDEX payments_of_account on payments (account_id, id);

CREATE INDEX payments_of_invoice on payments (invoice_id, id);

CREATE TABLE pdus (name text primary key not null, driver text not null, settings text not null,
  revision integer not null, removed_at integer);

CREATE TABLE plans (
  id integer primary key autoincrement, account_id integer not null references accounts (id), key_id integer not null,
  operation text not null, input text not null, hits text not null,
  status text not null check (status in ('Pending', 'Approved', 'Refused', 'Done', 'Failed')),
  decided_key_id integer, outcome text not null, created_at integer not null, expires_at integer not null, service_id integer);

CREATE INDEX plans_of_account on plans (account_id, id);

CREATE TABLE pollers (instance text primary key not null, live_until integer not null);

CREATE TABLE port_holdings (
  id integer primary key autoincrement, port_id integer not null references ports (id), service_id integer references services (id),
  held_from integer not null, held_until integer);

CREATE UNIQUE INDEX port_holdings_current on port_holdings (port_id) where held_until is null;

CREATE INDEX port_holdings_of_port on port_holdings (port_id);

CREATE INDEX port_holdings_of_service on port_holdings (service_id);

CREATE TABLE ports (
  id integer primary key autoincrement, switch text not null references switches (name), if_index integer not null,
  service_id integer references services (id), alias text not null, speed integer not null, server text, key_by text, key text, current_index integer, counter_bits integer, problem text, cabled_to text, unique (switch, if_index));

CREATE INDEX ports_of_server on ports (server);

CREATE INDEX ports_of_service on ports (service_id);

CREATE UNIQUE INDEX ports_unique_keys on ports (switch, key_by, key);

CREATE INDEX ports_with_problem on ports (switch, if_index) where problem is not null or cabled_to is not null;

CREATE VIRTUAL TABLE postal_search using fts5 (text, content = 'postal_search_texts', content_rowid = 'id', tokenize = 'trigram');

CREATE TABLE 'postal_search_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'postal_search_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'postal_search_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'postal_search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE VIEW postal_search_texts as select id, accounts.address1 || '
' || accounts.address2 || '
' || accounts.postcode || ' ' || accounts.city || '
' || accounts.phonenumber as text from accounts;

CREATE TABLE preferences (account_id integer not null references accounts (id),
  contact_id integer references contacts (id) on delete cascade, timezone text not null, date_format text not null, filters text not null);

CREATE INDEX preferences_of_contact on preferences (contact_id);

CREATE UNIQUE INDEX preferences_of_person on preferences (account_id, coalesce(contact_id, -1));

CREATE TABLE price_changes (id integer primary key autoincrement, plan text not null references price_plans (name),
  definition text not null, from_day integer not null, created_at integer not null, applied_at integer);

CREATE INDEX price_changes_due on price_changes (from_day, id) where applied_at is null;

CREATE INDEX price_changes_of_plan on price_changes (plan, id);

CREATE TABLE price_notices (change_id integer not null, service_id integer not null references services (id),
  account_id integer not null references accounts (id), plan text not null, from_day integer not null,
  sent_at integer not null, withdrawn_at integer, primary key (change_id, service_id));

CREATE INDEX price_notices_of_account on price_notices (account_id, service_id);

CREATE INDEX price_notices_of_service on price_notices (service_id, change_id);

CREATE INDEX price_notices_standing on price_notices (change_id, service_id) where withdrawn_at is null;

CREATE TABLE price_plans (name text primary key not null, definition text not null,
  state text not null check (state in ('Offered', 'Withdrawn')), created_at integer not null,
  changed_at integer not null);

CREATE TABLE rack_mounts (
  kind text not null check (kind in ('server', 'switch', 'node')), name text not null, rack text not null references racks (name),
  unit integer not null, height integer not null, primary key (kind, name));

CREATE INDEX rack_mounts_of_rack on rack_mounts (rack, unit);

CREATE TABLE racks (name text primary key not null, height integer not null, place text not null);

CREATE TABLE receipts (
  id integer primary key autoincrement, account_id integer not null references accounts (id), method text not null, reference text not null,
  amount_cents integer not null check (amount_cents > 0), paid_at integer not null, unique (method, reference));

CREATE TRIGGER receipts_keeps_from_delete before delete on receipts when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'receipts is append-only'); end;

CREATE TRIGGER receipts_keeps_from_update before update on receipts when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'receipts is append-only'); end;

CREATE INDEX receipts_of_account on receipts (account_id, id);

CREATE TABLE reclaims (
  id text primary key not null, server text not null references servers (name), account_id integer not null references accounts (id),
  service_id integer not null, workflow_id text not null, step text, reason text not null, findings text not null,
  started_at integer not null, ended_at integer);

CREATE INDEX reclaims_of_server on reclaims (server, id);

CREATE INDEX reclaims_open on reclaims (id) where ended_at is null;

CREATE UNIQUE INDEX reclaims_under_way on reclaims (server) where ended_at is null;

CREATE TABLE reconcilers (
  name text primary key not null, run_at integer not null, signals integer not null, holder text,
  lease_until integer not null, last_success_at integer, last_duration_ms integer, last_error text,
  backlog integer not null);

CREATE TABLE records (
  id integer primary key autoincrement, account_id integer references accounts (id), zone_id integer not null references zones (id) on delete cascade,
  name text not null, path text not null, type integer not null, ttl integer not null, content text not null,
  rdata blob not null, address text);

CREATE INDEX records_by_address on records (address) where address is not null;

CREATE INDEX records_by_content_prefix on records (zone_id, lower(ltrim(substr(content, 1, 64), '"')), id);

CREATE INDEX records_by_name_prefix on records (zone_id, name, id);

CREATE INDEX records_by_path on records (zone_id, path);

CREATE TRIGGER records_log_delete after delete on records begin insert into zone_changes (zone_id, path) select zone_id, path from (select old.zone_id, old.path) where exists (select 1 from zones where zones.id = zone_id); end;

CREATE TRIGGER records_log_insert after insert on records begin insert into zone_changes (zone_id, path) select zone_id, path from (select new.zone_id, new.path) where exists (select 1 from zones where zones.id = zone_id); end;

CREATE TRIGGER records_log_update after update on records begin insert into zone_changes (zone_id, path) select zone_id, path from (select new.zone_id, new.path) where exists (select 1 from zones where zones.id = zone_id); end;

CREATE INDEX records_of_zone on records (zone_id, id);

CREATE INDEX records_redirecting on records (zone_id) where type in (39, 65401);

CREATE TABLE recoveries (token_hash text primary key not null,
  account_id integer not null references accounts (id),
  contact_id integer references contacts (id) on delete cascade,
  sign_in_digest text not null, created_at integer not null, expires_at integer not null, operator_id integer references operators (id));

CREATE INDEX recoveries_by_expiry on recoveries (expires_at);

CREATE INDEX recoveries_of_contact on recoveries (contact_id);

CREATE INDEX recoveries_of_operator on recoveries (operator_id);

CREATE INDEX recoveries_of_person on recoveries (account_id, contact_id);

CREATE TABLE recovery_codes (account_id integer not null references accounts (id),
  contact_id integer references contacts (id) on delete cascade, digest text not null);

CREATE INDEX recovery_codes_of_contact on recovery_codes (contact_id);

CREATE UNIQUE INDEX recovery_codes_of_person on recovery_codes (account_id, coalesce(contact_id, -1), digest);

CREATE TABLE reload_log (
  id integer primary key autoincrement, reload_id text not null references reloads (id) on delete cascade, at integer not null, status text not null,
  text text not null);

CREATE INDEX reload_log_of_reload on reload_log (reload_id, id);

CREATE TABLE reloads (
  id text primary key not null, workflow_id text not null, account_id integer not null references accounts (id), service_id integer not null,
  server text not null references servers (name), kind text not null, system text not null,
  status text not null, percent integer not null, reason text not null, secret_hash text not null,
  open integer not null, mac text, requested_at integer, begun_at integer, outcome text, message text not null,
  password_hash text, password_fetched integer not null, new_password text, ssh_keys text not null,
  created_at integer not null, ended_at integer, findings text, reported_at integer, bound_to text, links_used integer not null default 0, contested_at integer);

CREATE INDEX reloads_by_end on reloads (ended_at);

CREATE UNIQUE INDEX reloads_by_secret on reloads (secret_hash);

CREATE INDEX reloads_of_service on reloads (account_id, service_id, id);

CREATE UNIQUE INDEX reloads_under_way on reloads (server) where ended_at is null;

CREATE TABLE routers (
  name text primary key not null, driver text not null, settings text not null, revision integer not null);

CREATE TABLE routes (prefix text primary key not null, next_hop text not null, announced_at integer not null);

CREATE TABLE sample_blocks (
  id integer primary key autoincrement, kind text not null check (kind in ('port', 'machine')), device text not null, first_member integer not null,
  last_member integer not null, first_start integer not null, last_start integer not null, packed blob not null);

CREATE INDEX sample_blocks_of_device on sample_blocks
  (kind, device, id, first_member, last_member, first_start, last_start);

CREATE TABLE screen_sessions (
  id text primary key not null, account_id integer not null references accounts (id),
  service_id integer not null references services (id), key_id integer not null, address text not null,
  password text not null, expires_at integer not null);

CREATE INDEX screen_sessions_of_service on screen_sessions (service_id);

CREATE TABLE sepa_entries (id integer primary key autoincrement, statement_id integer not null references sepa_statements (id),
  key text not null, day integer not null, amount_cents integer not null, bank_reference text not null,
  end_to_end_id text not null, batch_id text not null, return_code text not null, counterparty text not null,
  counterparty_iban text not null, text text not null,
  state text not null check (state in ('new', 'matched', 'unmatched', 'ignored')), matched_as text not null,
  booked_cents integer not null, problem text not null, account_id integer references accounts (id), operator text not null, problem_code text not null default '', expected_cents integer);

CREATE INDEX sepa_entries_by_state on sepa_entries (state, id);

CREATE UNIQUE INDEX sepa_entries_keys on sepa_entries (key);

CREATE INDEX sepa_entries_of_account on sepa_entries (account_id, id);

CREATE INDEX sepa_entries_of_statement on sepa_entries (statement_id, id);

CREATE TABLE sepa_files (id integer primary key autoincrement, kind text not null check (kind in ('debit', 'refund')), message_id text not null,
  day integer not null, created_at integer not null, orders integer not null, amount_cents integer not null,
  creditor text not null, state text not null check (state in ('created', 'handed_in', 'rejected')),
  decided_at integer, operator text not null);

CREATE UNIQUE INDEX sepa_files_by_message on sepa_files (message_id);

CREATE INDEX sepa_files_by_state on sepa_files (state, id);

CREATE TABLE sepa_mandates (method_id integer primary key not null,
  account_id integer not null references accounts (id), reference text not null, name text not null,
  iban_sealed text not null, scheme text not null check (scheme in ('CORE', 'B2B')), signed_at integer not null,
  address text not null, consent_version text not null, consent_text text not null, used_at integer,
  expires_day integer);

CREATE INDEX sepa_mandates_by_expiry on sepa_mandates (expires_day);

CREATE UNIQUE INDEX sepa_mandates_by_reference on sepa_mandates (reference);

CREATE INDEX sepa_mandates_of_account on sepa_mandates (account_id, method_id);

CREATE TABLE sepa_orders (id integer primary key autoincrement, account_id integer not null references accounts (id),
  charge_id integer not null references payment_charges (id), refund_id integer references payment_refunds (id),
  method_id integer not null, end_to_end_id text not null, amount_cents integer not null check (amount_cents > 0),
  day integer not null, sequence text not null, text text not null, file_id integer);

CREATE UNIQUE INDEX sepa_orders_by_reference on sepa_orders (end_to_end_id);

CREATE INDEX sepa_orders_of_account on sepa_orders (account_id, id);

CREATE UNIQUE INDEX sepa_orders_of_charge on sepa_orders (charge_id) where refund_id is null;

CREATE INDEX sepa_orders_of_file on sepa_orders (file_id, id);

CREATE UNIQUE INDEX sepa_orders_of_refund on sepa_orders (refund_id);

CREATE TABLE sepa_statements (id integer primary key autoincrement, digest text not null, kind text not null, bank_id text not null,
  iban text not null, opening_cents integer, closing_cents integer, imported_at integer not null,
  operator text not null);

CREATE UNIQUE INDEX sepa_statements_by_digest on sepa_statements (digest);

CREATE TABLE serial_history (
  server text primary key not null references servers (name), service_id integer not null, output blob not null);

CREATE TABLE serial_holders (instance text primary key not null, held_until integer not null);

CREATE TABLE serial_lines (
  server text primary key not null references servers (name), holder text, held_until integer not null, wanted_by text,
  wanted_until integer not null);

CREATE INDEX serial_lines_wanted on serial_lines (wanted_until);

CREATE TABLE serial_output (
  server text not null references servers (name), slot integer not null, service_id integer not null,
  number integer not null, output blob not null, primary key (server, slot));

CREATE TABLE server_log (
  id integer primary key autoincrement, server text not null references servers (name), service_id integer, at integer,
  seen_at integer not null, severity text not null, text text not null);

CREATE INDEX server_log_of_server on server_log (server, id);

CREATE TABLE server_macs (mac text primary key not null, server text not null references servers (name));

CREATE INDEX server_macs_of_server on server_macs (server);

CREATE TABLE server_sensors (
  server text primary key not null references servers (name), service_id integer, readings text not null,
  read_at integer, error text, faults text not null, fault_count integer not null, celsius integer,
  rpm integer, watts integer, log_position text, inlet_celsius integer);

CREATE INDEX server_sensors_with_faults on server_sensors (server) where fault_count > 0;

CREATE TABLE servers (
  name text primary key not null, bmc_driver text not null, bmc_settings text not null, bmc_revision integer not null,
  bmc_model text not null, console_host text not null, parts text not null,
  power_state text check (power_state in ('on', 'off')), power_source text, power_seen_at integer, power_error text,
  next_look_at integer not null, uuid text, disks text not null default '[]', serial text, removed_at integer, firmware text check (firmware in ('bios', 'uefi')), state text not null default 'available'
  check (state in ('available', 'assigned', 'reclaiming', 'quarantined')), erase integer not null default 1, inventory text, bmc_next_password text, bmc_file_digest text, boot_address text, has_web_page integer not null default 0, alias text, outlets text not null default '[]');

CREATE INDEX servers_available on servers (name) where state = 'available' and removed_at is null;

CREATE UNIQUE INDEX servers_by_alias on servers (alias);

CREATE INDEX servers_by_look on servers (next_look_at);

CREATE INDEX servers_by_name_prefix on servers (name);

CREATE UNIQUE INDEX servers_by_serial on servers (serial);

CREATE INDEX servers_by_serial_prefix on servers (lower(serial));

CREATE UNIQUE INDEX servers_by_uuid on servers (uuid);

CREATE INDEX servers_removed on servers (name) where removed_at is not null;

CREATE INDEX servers_silent on servers (name) where power_error is not null and removed_at is null;

CREATE TABLE service_suspensions (
  service_id integer primary key not null references services (id), reason text not null, operator text not null,
  since integer not null, before text not null);

CREATE TABLE service_terms (
  id integer primary key autoincrement, account_id integer not null references accounts (id), service_id integer not null references services (id),
  plan text not null, price_cents integer not null, setup_cents integer not null, cycle_months integer not null,
  committed_mbits integer, mbit_price_cents integer not null,
  addresses_included integer not null, address_price_cents integer not null,
  anchor_day integer not null, from_day integer not null, until_day integer, billed_until integer, hour_price integer, from_hour integer, until_hour integer, billed_hour integer, min_months integer not null default 0, mbit_cap_cents integer, address_cap_cents integer, usage_prices text not null default '[]', origin text not null default 'site' check (origin in ('site', 'order')), own_price integer not null default 0);

CREATE INDEX service_terms_committed on service_terms (service_id) where committed_mbits is not null;

CREATE INDEX service_terms_of_account on service_terms (account_id, service_id, from_day);

CREATE INDEX service_terms_of_plan on service_terms (plan, service_id);

CREATE TABLE services (
  id integer primary key not null, account_id integer not null references accounts (id),
  type text not null check (type in ('dedicated', 'vps', 'cloud')), name text not null, hostname text not null,
  status text not null check (status in ('Pending', 'Active', 'Suspended', 'Terminated')),
  ip text not null, server text unique, vmid integer unique, created_at integer not null, labels text not null default '[]', system text, installed_at integer);

CREATE INDEX services_by_installation on services (installed_at, id);

CREATE INDEX services_by_status on services (status, id);

CREATE INDEX services_by_type on services (type, id);

CREATE INDEX services_by_type_and_status on services (type, status, id);

CREATE TRIGGER services_get_available_server_0 before insert on services when new.server is not null
  and exists (select 1 from servers where name = new.server and state <> 'available')
  and not exists (select 1 from services where id = new.id and server = new.server)
  begin select raise(abort, 'the server is not available'); end;

CREATE TRIGGER services_get_available_server_1 before update of server on services when new.server is not null
  and exists (select 1 from servers where name = new.server and state <> 'available')
  and not exists (select 1 from services where id = new.id and server = new.server)
  begin select raise(abort, 'the server is not available'); end;

CREATE INDEX services_of_account on services (account_id, id);

CREATE TRIGGER services_search_delete after delete on services begin insert into services_search (services_search, rowid, text) values ('delete', old.id, old.name || '
' || old.hostname || '
' || old.ip || '
' || coalesce(old.server, '')); end;

CREATE TRIGGER services_search_insert after insert on services begin insert into services_search (rowid, text) values (new.id, new.name || '
' || new.hostname || '
' || new.ip || '
' || coalesce(new.server, '')); end;

CREATE TRIGGER services_search_update after update on services when old.name || '
' || old.hostname || '
' || old.ip || '
' || coalesce(old.server, '') <> new.name || '
' || new.hostname || '
' || new.ip || '
' || coalesce(new.server, '') begin insert into services_search (services_search, rowid, text) values ('delete', old.id, old.name || '
' || old.hostname || '
' || old.ip || '
' || coalesce(old.server, '')); insert into services_search (rowid, text) values (new.id, new.name || '
' || new.hostname || '
' || new.ip || '
' || coalesce(new.server, '')); end;

CREATE VIRTUAL TABLE services_search using fts5 (text, content = 'services_search_texts', content_rowid = 'id', tokenize = 'trigram');

CREATE TABLE 'services_search_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'services_search_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'services_search_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'services_search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE VIEW services_search_texts as select id, services.name || '
' || services.hostname || '
' || services.ip || '
' || coalesce(services.server, '') as text from services;

CREATE TABLE "sign_ins" (
  email text not null, account_id integer not null references accounts (id),
  contact_id integer references contacts (id) on delete cascade, since integer not null default 0,
  primary key (account_id, email));

CREATE INDEX sign_ins_by_contact_id on sign_ins (contact_id) where contact_id is not null;

CREATE INDEX sign_ins_by_email on sign_ins (email);

CREATE UNIQUE INDEX sign_ins_of_owners on sign_ins (email) where contact_id is null;

CREATE TABLE sign_on_domains (account_id integer not null references accounts (id), domain text not null, token text not null,
  required integer not null, verified_at integer, created_at integer not null, primary key (account_id, domain));

CREATE INDEX sign_on_domains_by_domain on sign_on_domains (domain);

CREATE TABLE sign_on_flows (hash text primary key not null, account_id integer not null references accounts (id), issuer text not null,
  redirect_uri text not null, expires_at integer not null);

CREATE INDEX sign_on_flows_by_expiry on sign_on_flows (expires_at);

CREATE TABLE sign_on_identities (account_id integer not null references accounts (id), issuer text not null, subject text not null,
  contact_id integer references contacts (id) on delete cascade, operator_id integer references operators (id),
  created_at integer not null, primary key (account_id, issuer, subject));

CREATE INDEX sign_on_identities_of_contact on sign_on_identities (contact_id);

CREATE TABLE sign_on_providers (account_id integer primary key not null references accounts (id),
  issuer text not null, client_id text not null, client_secret text not null, scopes text not null, claim text not null,
  grants text not null, updated_at integer not null);

CREATE TABLE sign_up_invitations (id integer primary key autoincrement, token_hash text not null unique, email text not null,
  invited_by text not null, created_at integer not null, expires_at integer not null);

CREATE INDEX sign_up_invitations_by_expiry on sign_up_invitations (expires_at);

CREATE TABLE sign_up_proofs (digest text primary key not null, expires_at integer not null);

CREATE INDEX sign_up_proofs_by_expiry on sign_up_proofs (expires_at);

CREATE TABLE sign_ups (id integer primary key autoincrement, status text not null check (status in ('Unverified', 'Waiting', 'Rejected')),
  token_hash text unique, invitation_id integer references sign_up_invitations (id) on delete set null,
  sign_in text not null, email text not null, firstname text not null, lastname text not null,
  companyname text not null, address1 text not null, address2 text not null, city text not null, state text not null,
  postcode text not null, country text not null, phonenumber text not null, language text not null,
  password_hash text, terms_version text not null, terms_url text not null, address text not null,
  created_at integer not null, verified_at integer, expires_at integer not null, reason text not null);

CREATE INDEX sign_ups_by_expiry on sign_ups (expires_at);

CREATE INDEX sign_ups_by_sign_in on sign_ups (sign_in);

CREATE INDEX sign_ups_by_status on sign_ups (status, id);

CREATE INDEX sign_ups_of_invitation on sign_ups (invitation_id);

CREATE TABLE signed_zones (
  zone_id integer primary key not null references zones (id) on delete cascade,
  parent_ds text not null check (parent_ds in ('Wanted', 'Unwanted')), refreshed_at integer not null,
  rollover_id text, ds_confirmed integer not null);

CREATE INDEX signed_zones_by_refresh on signed_zones (refreshed_at);

CREATE TRIGGER signed_zones_log_delete after delete on signed_zones begin insert into zone_changes (zone_id, path) values (old.zone_id, null); end;

CREATE TRIGGER signed_zones_log_insert after insert on signed_zones begin insert into zone_changes (zone_id, path) values (new.zone_id, null); end;

CREATE TRIGGER signed_zones_log_update after update on signed_zones begin insert into zone_changes (zone_id, path) values (new.zone_id, null); end;

CREATE TABLE ssh_keys (id integer primary key autoincrement, account_id integer not null references accounts (id), name text not null,
  public_key text not null, fingerprint text not null, created_at integer not null);

CREATE UNIQUE INDEX ssh_keys_of_account on ssh_keys (account_id, fingerprint);

CREATE TABLE stock_numbers (id integer primary key autoincrement, server text not null references servers (name));

CREATE UNIQUE INDEX stock_numbers_by_server on stock_numbers (server);

CREATE TABLE switch_reports (
  switch text primary key not null references switches (name), read_at integer not null, summary text not null,
  ports text not null);

CREATE TABLE switches (
  name text primary key not null, driver text not null, settings text not null, revision integer not null,
  next_poll_at integer not null, last_poll_at integer, poll_error text, removed_at integer, error_text text not null default '');

CREATE INDEX switches_by_name_prefix on switches (lower(name)) where removed_at is null;

CREATE INDEX switches_by_poll on switches (next_poll_at);

CREATE INDEX switches_removed on switches (name) where removed_at is not null;

CREATE INDEX switches_silent on switches (name) where poll_error is not null and removed_at is null;

CREATE TABLE tax_evidence (account_id integer not null references accounts (id), source text not null,
  country text not null, at integer not null, primary key (account_id, source, country));

CREATE TABLE templates (
  value text primary key not null, name text not null, kind text not null check (kind in ('Xen', 'OpenVZ')),
  source text not null, position integer not null, cloud_init integer, firmware text not null default 'bios' check (firmware in ('bios', 'uefi')), secure_boot integer not null default 0, tpm integer not null default 0);

CREATE TABLE totps (
  account_id integer not null references accounts (id),
  contact_id integer references contacts (id) on delete cascade, secret text not null, since integer, step integer not null);

CREATE INDEX totps_by_contact_id on totps (contact_id) where contact_id is not null;

CREATE UNIQUE INDEX totps_of_person on totps (account_id, coalesce(contact_id, -1));

CREATE TABLE traffic_days (
  port_id integer not null references ports (id), day_start integer not null, packed blob not null,
  primary key (port_id, day_start));

CREATE INDEX traffic_days_by_day on traffic_days (day_start);

CREATE TABLE usage (account_id integer not null references accounts (id), service_id integer not null references services (id), item text not null, day integer not null,
  quantity integer not null check (quantity >= 0), primary key (account_id, service_id, item, day));

CREATE INDEX usage_of_service on usage (service_id);

CREATE TABLE vat_checks (id integer primary key autoincrement, account_id integer not null references accounts (id), at integer not null,
  vat_number text not null, state text not null, consultation text not null, register_name text not null,
  register_address text not null);

CREATE TRIGGER vat_checks_keeps_from_delete before delete on vat_checks when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'vat_checks is append-only'); end;

CREATE TRIGGER vat_checks_keeps_from_update before update on vat_checks when not exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))
  begin select raise(abort, 'vat_checks is append-only'); end;

CREATE INDEX vat_checks_of_account on vat_checks (account_id, id);

CREATE TABLE volumes (id integer primary key autoincrement, account_id integer not null references accounts (id),
  service_id integer not null references services (id), node text not null, name text not null, size_gb integer not null,
  state text not null, is_attached integer not null, created_at integer not null, grows_to_gb integer);

CREATE INDEX volumes_by_account on volumes (account_id, id);

CREATE UNIQUE INDEX volumes_of_account on volumes (account_id, name) where state <> 'Deleting';

CREATE INDEX volumes_of_service on volumes (service_id, id);

CREATE INDEX volumes_to_delete on volumes (id) where state = 'Deleting';

CREATE TABLE webhooks (
  id integer primary key autoincrement, account_id integer not null references accounts (id), url text not null, description text not null,
  events text not null, status text not null check (status in ('Active', 'Off')), reason text not null,
  secret text not null, previous_secret text, previous_until integer, created_at integer not null, contact_id integer);

CREATE INDEX webhooks_of_account on webhooks (account_id, id);

CREATE TABLE withdrawn_records (
  id integer primary key not null, zone_id integer not null references withdrawn_zones (id) on delete cascade,
  name text not null, type integer not null, ttl integer not null, rdata blob not null);

CREATE INDEX withdrawn_records_of_zone on withdrawn_records (zone_id, id);

CREATE TABLE withdrawn_zones (
  id integer primary key not null, account_id integer not null references accounts (id), name text not null,
  reason text not null, at integer not null);

CREATE INDEX withdrawn_zones_of_account on withdrawn_zones (account_id, id);

CREATE TABLE workflows (
  id text primary key not null, account_id integer not null references accounts (id), service_id integer,
  name text not null, version integer not null, operation text not null, status text not null, direction text not null,
  position integer not null, step text not null, step_since integer not null, tries integer not null,
  progress integer not null, input text not null, outputs text not null, error_code text, error_reason text,
  cancel_requested integer not null, created_at integer not null, ended_at integer, revision integer not null, detail text not null default '');

CREATE INDEX workflows_by_end on workflows (ended_at);

CREATE INDEX workflows_by_name on workflows (name, id);

CREATE INDEX workflows_by_status on workflows (status, id);

CREATE INDEX workflows_of_account on workflows (account_id, id);

CREATE INDEX workflows_of_service on workflows (service_id, id) where service_id is not null;

CREATE TABLE zone_changes (
  id integer primary key autoincrement, zone_id integer not null, path text,
  transaction_id integer not null default 0);

CREATE TABLE zone_claims (
  account_id integer not null references accounts (id), name text not null, token text not null,
  expires_at integer not null, primary key (account_id, name));

CREATE TABLE zone_keys (
  id integer primary key autoincrement, zone_id integer not null references signed_zones (zone_id) on delete cascade,
  workflow_id text, state text not null check (state in ('Published', 'Active', 'Retired')),
  key_tag integer not null, algorithm integer not null, dnskey blob not null, private_key text not null,
  created_at integer not null, changed_at integer not null);

CREATE TRIGGER zone_keys_log_delete after delete on zone_keys begin insert into zone_changes (zone_id, path) values (old.zone_id, null); end;

CREATE TRIGGER zone_keys_log_insert after insert on zone_keys begin insert into zone_changes (zone_id, path) values (new.zone_id, null); end;

CREATE TRIGGER zone_keys_log_update after update on zone_keys begin insert into zone_changes (zone_id, path) values (new.zone_id, null); end;

CREATE INDEX zone_keys_of_zone on zone_keys (zone_id, id);

CREATE TABLE zone_publications (
  zone text primary key not null, holder text not null, lease_until integer not null);

CREATE TABLE zone_versions (
  zone_id integer not null references zones (id) on delete cascade, version integer not null, at integer not null,
  operation text not null, serial integer not null, removed text not null, added text not null, author_kind text, author_id integer, author_name text,
  primary key (zone_id, version));

CREATE TABLE zones (
  id integer primary key autoincrement, account_id integer references accounts (id), name text not null unique,
  kind text not null check (kind in ('forward', 'reverse')), revision integer not null, record_count integer not null,
  created_at integer not null, path text not null default '');

CREATE INDEX zones_by_name_prefix on zones (name);

CREATE INDEX zones_by_path on zones (path);

CREATE TRIGGER zones_log_delete after delete on zones begin insert into zone_changes (zone_id, path) values (old.id, null); end;

CREATE TRIGGER zones_log_insert after insert on zones begin insert into zone_changes (zone_id, path) values (new.id, null); end;

CREATE INDEX zones_of_account on zones (account_id, id);
