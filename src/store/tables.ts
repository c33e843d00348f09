// The tables as TypeScript sees them; `migrations/` makes them, `golden/schema.sql` shows them.
// Moments are milliseconds since 1970 in UTC, days are days since 1970, money is cents, truth is 0 or 1, lists are JSON text:
// what SQLite and PostgreSQL store alike.
import type { Generated, GeneratedAlways } from 'kysely';
import type { OperatorRole } from '#contract/roles.ts';
import type { AccountStatus, LineType } from '#contract/shapes/account.ts';
import type { DeliveryStatus, WebhookStatus } from '#contract/shapes/event.ts';
import type { BillingAccountTable } from './billing/billing-accounts.ts';
import type { BillingSuspensionTable } from './billing/billing-suspensions.ts';
import type { AttackLogTable, AttackRecordTable, AttackTable } from './network/attacks.ts';
import type { BmcUserTable } from './devices/bmc-users.ts';
import type { ChargeTable } from './billing/charges.ts';
import type { ConsoleTicketTable } from './devices/console-tickets.ts';
import type { DetectorTable } from './network/detectors.ts';
import type { DeviceHoldTable } from './devices/device-holds.ts';
import type { DeviceImageTable } from './devices/device-images.ts';
import type { DeviceLockTable } from './devices/device-locks.ts';
import type { MachineTable } from './devices/machines.ts';
import type { InvoiceNoticeTable } from './billing/invoice-notices.ts';
import type { LedgerTable } from './billing/ledger.ts';
import type { InvoicePartiesTable } from './billing/invoice-parties.ts';
import type { LicencePriceTable, LicenceTable } from './billing/licences.ts';
import type { NetblockHoldingTable } from './network/netblock-holdings.ts';
import type { NetblockRequestTable } from './network/netblock-requests.ts';
import type { NetblockTable, NetblockUnitTable } from './network/netblocks.ts';
import type { NullrouteTable } from './network/nullroutes.ts';
import type { NodeTable } from './devices/nodes.ts';
import type { OperatorTable } from './operator/operators.ts';
import type { PasskeyChallengeTable, PasskeyTable } from './account/passkeys.ts';
import type { PaymentHookTable } from './billing/payment-hooks.ts';
import type { PlanTable } from './account/plans.ts';
import type { RackMountTable, RackTable } from './devices/racks.ts';
import type { ReceiptTable } from './billing/receipts.ts';
import type { ReconcilerTable } from './work/reconcilers.ts';
import type { RecordTable } from './dns/records.ts';
import type { ScreenSessionTable } from './devices/screen-sessions.ts';
import type { ReloadLogTable, ReloadTable } from './devices/reloads.ts';
import type { RouterTable } from './network/routers.ts';
import type { SerialLineTable } from './devices/serial-lines.ts';
import type { ServerMacTable, ServerTable } from './devices/servers.ts';
import type { ServiceSuspensionTable } from './devices/service-suspensions.ts';
import type { ServiceTermTable } from './billing/service-terms.ts';
import type { PortTable, SwitchTable } from './network/switches.ts';
import type { TemplateTable } from './devices/templates.ts';
import type { TotpTable } from './account/totps.ts';
import type { MeterTable, TrafficDayTable } from './network/traffic.ts';
import type { WorkflowTable } from './work/workflows.ts';
import type { ZonePublicationTable } from './dns/zone-publications.ts';
import type { ZoneTable, ZoneVersionTable } from './dns/zones.ts';

declare const accountBrand: unique symbol;
/** The tenant. Branded, so that a query that forgets it, or is handed some other number, does not type-check. */
export type AccountId = number & { readonly [accountBrand]: true };

/** What the first audit entry of an account has before it. */
export const firstHash = '0'.repeat(64);

export interface Tables {
  meta: { name: string; value: string };
  accounts: AccountTable;
  contacts: ContactTable;
  sign_ins: { email: string; account_id: AccountId; contact_id: number | null };
  services: ServiceTable;
  invoices: InvoiceTable;
  invoice_lines: InvoiceLineTable;
  invoice_parties: InvoicePartiesTable;
  licences: LicenceTable;
  licence_prices: LicencePriceTable;
  payments: PaymentTable;
  ledger: LedgerTable;
  invoice_numbers: { series: string; last: number };
  invoice_notices: InvoiceNoticeTable;
  receipts: ReceiptTable;
  payment_hooks: PaymentHookTable;
  billing_accounts: BillingAccountTable;
  billing_suspensions: BillingSuspensionTable;
  service_suspensions: ServiceSuspensionTable;
  service_terms: ServiceTermTable;
  charges: ChargeTable;
  keys: KeyTable;
  totps: TotpTable;
  passkeys: PasskeyTable;
  passkey_challenges: PasskeyChallengeTable;
  operators: OperatorTable;
  idempotency: IdempotencyTable;
  audit: AuditTable;
  workflows: WorkflowTable;
  reconcilers: ReconcilerTable;
  /** The last audit hash and the last event number of an account, in one row: a change locks it once. */
  audit_tips: { account_id: AccountId; hash: string; events: Generated<number> };
  events: EventTable;
  webhooks: WebhookTable;
  deliveries: DeliveryTable;
  plans: PlanTable;
  jobs: JobTable;
  racks: RackTable;
  rack_mounts: RackMountTable;
  servers: ServerTable;
  server_macs: ServerMacTable;
  reloads: ReloadTable;
  reload_log: ReloadLogTable;
  device_images: DeviceImageTable;
  device_holds: DeviceHoldTable;
  device_locks: DeviceLockTable;
  bmc_users: BmcUserTable;
  console_tickets: ConsoleTicketTable;
  serial_lines: SerialLineTable;
  switches: SwitchTable;
  ports: PortTable;
  meters: MeterTable;
  traffic_days: TrafficDayTable;
  zones: ZoneTable;
  zone_versions: ZoneVersionTable;
  zone_publications: ZonePublicationTable;
  records: RecordTable;
  netblocks: NetblockTable;
  netblock_units: NetblockUnitTable;
  netblock_holdings: NetblockHoldingTable;
  netblock_requests: NetblockRequestTable;
  detectors: DetectorTable;
  attacks: AttackTable;
  attack_records: AttackRecordTable;
  attack_logs: AttackLogTable;
  routers: RouterTable;
  nullroutes: NullrouteTable;
  nodes: NodeTable;
  templates: TemplateTable;
  machines: MachineTable;
  screen_sessions: ScreenSessionTable;
}

interface PersonColumns {
  firstname: string;
  lastname: string;
  companyname: string;
  email: string;
  address1: string;
  address2: string;
  city: string;
  state: string;
  postcode: string;
  country: string;
  phonenumber: string;
  password_hash: string | null;
}

export interface AccountTable extends PersonColumns {
  id: AccountId;
  status: AccountStatus;
  currency: string;
  currency_prefix: string;
  currency_suffix: string;
  created_at: number;
  last_login_at: number | null;
  last_login_address: string | null;
  last_login_host: string | null;
}

export interface ContactTable extends PersonColumns {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  subaccount: number;
  permissions: string;
  domainemails: number;
  generalemails: number;
  invoiceemails: number;
  productemails: number;
  supportemails: number;
  affiliateemails: number;
  status: string;
  created_at: number;
}

export type ServiceType = 'dedicated' | 'vps' | 'cloud';
export type ServiceStatus = 'Pending' | 'Active' | 'Suspended' | 'Terminated';
export interface ServiceTable {
  id: number;
  account_id: AccountId;
  type: ServiceType;
  name: string;
  hostname: string;
  status: ServiceStatus;
  ip: string;
  server: string | null;
  vmid: number | null;
  created_at: number;
}

export interface InvoiceTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  number: string;
  day: number;
  due_day: number;
  paid_at: number | null;
  /** Overdue is not stored: it is an Unpaid invoice whose due day has gone by. */
  status: 'Unpaid' | 'Paid' | 'Cancelled';
  subtotal_cents: number;
  credit_cents: number;
  tax_cents: number;
  tax2_cents: number;
  total_cents: number;
  /** Hundredths of a percent. */
  tax_rate: number;
  tax_rate2: number;
  payment_method: string;
  notes: string;
  kind: Generated<'Invoice' | 'CreditNote'>;
  /** Of a credit note: the invoice that it takes back, or a part of it. */
  corrects_id: number | null;
}

export interface InvoiceLineTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  invoice_id: number;
  type: LineType;
  service_id: number | null;
  description: string;
  amount_cents: number;
  taxed: number;
}

export interface PaymentTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  invoice_id: number;
  amount_cents: number;
  paid_at: number;
  method: string;
  reference: string;
  /** The money it is part of; null for what an account brought along and for credit notes. */
  receipt_id: number | null;
}

export interface KeyTable {
  id: GeneratedAlways<number>;
  /** Null for an operator's key. */
  account_id: AccountId | null;
  /** Of a key that belongs to no operator by name: those of the site file. */
  operator_role: OperatorRole | null;
  operator_id: number | null;
  contact_id: number | null;
  kind: 'key' | 'session';
  printable_id: string;
  /** SHA-256 of the secret, in hex. */
  secret_hash: string;
  previous_hash: string | null;
  previous_until: number | null;
  /** The hash that the site file last brought; null for a key that it never named. */
  site_hash: string | null;
  name: string;
  scopes: string;
  allow: string;
  rate: number;
  burst: number;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  last_used_address: string | null;
}

export interface IdempotencyTable {
  account_id: AccountId;
  method: string;
  path: string;
  key: string;
  fingerprint: string;
  /** Null while the work runs. */
  status: number | null;
  /** The answer, sealed: it may carry a new password. */
  body: string | null;
  /** The process that works on it; a claim of a process that is gone has an unknown outcome. */
  claimed_by: string;
  claimed_until: number;
  expires_at: number;
}

export interface AuditTable {
  id: Generated<number>;
  account_id: AccountId;
  at: number;
  address: string;
  key_id: number | null;
  contact_id: number | null;
  operation: string;
  target: string;
  outcome: string;
  request_id: string;
  /** The name of the operator who did it; null for the account itself. */
  operator: string | null;
  previous: string;
  hash: string;
}

/** On SQLite only. */
export interface JobTable {
  id: GeneratedAlways<number>;
  kind: string;
  key: string | null;
  payload: string;
  state: 'queued' | 'running' | 'failed';
  run_at: number;
  /** Counts every claim: the fence. */
  attempt: number;
  /** Counts the attempts that failed, up to the retries that its kind allows. */
  failures: number;
  claimed_by: string | null;
  heartbeat_at: number | null;
  error: string | null;
  failed_at: number | null;
}

export interface EventTable {
  account_id: AccountId;
  /** Per account, without gaps, in the order of commits. */
  sequence: number;
  type: string;
  version: number;
  service_id: number | null;
  data: string;
  at: number;
}

export interface WebhookTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  url: string;
  description: string;
  /** Types that are sent; an empty list: all. */
  events: string;
  status: WebhookStatus;
  reason: string;
  /** Sealed, both. */
  secret: string;
  previous_secret: string | null;
  previous_until: number | null;
  created_at: number;
}

export interface DeliveryTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  webhook_id: number;
  /** The service, or 0: what arrives in order. */
  lane: number;
  sequence: number;
  status: DeliveryStatus;
  attempts: number;
  next_at: number;
  last_at: number | null;
  /** Status number of the last answer. */
  answer: number | null;
  error: string;
  replay_of: number | null;
  created_at: number;
}
