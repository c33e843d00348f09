// All tables of the database, by name. `migrations/` creates them and `golden/schema.sql` shows them. Both engines
// store times as milliseconds since 1970 in UTC, days as days since 1970, money as cents, booleans as 0 or 1, and lists
// as JSON text.
import type {
  AccountTable,
  ContactTable,
  SignInTable,
  KeyTable,
  IdempotencyTable,
  AuditTable,
  AuditTipTable,
  PasskeyChallengeTable,
  PasskeyTable,
  PlanTable,
  TotpTable,
} from './account/tables.ts';
import type {
  InvoiceTable,
  InvoiceLineTable,
  InvoiceNumberTable,
  PaymentTable,
  BillingAccountTable,
  BillingSuspensionTable,
  ChargeTable,
  InvoiceNoticeTable,
  LedgerTable,
  InvoicePartiesTable,
  LicencePriceTable,
  LicenceTable,
  PaymentHookTable,
  ReceiptTable,
  ServiceTermTable,
} from './billing/tables.ts';
import type {
  ServiceTable,
  BmcUserTable,
  ConsoleTicketTable,
  DeviceHoldTable,
  DeviceImageTable,
  DeviceLockTable,
  MachineTable,
  HypervisorTable,
  RackMountTable,
  RackTable,
  VncSessionTable,
  ReloadLogTable,
  ReloadTable,
  SerialLineTable,
  ServerMacTable,
  ServerTable,
  ServiceSuspensionTable,
  TemplateTable,
} from './devices/tables.ts';
import type {
  JobTable,
  EventTable,
  WebhookTable,
  DeliveryTable,
  ReconcilerTable,
  WorkflowTable,
} from './work/tables.ts';
import type {
  AttackLogTable,
  AttackRecordTable,
  AttackTable,
  DetectorTable,
  NetblockHoldingTable,
  NetblockRequestTable,
  NetblockTable,
  NetblockUnitTable,
  NullrouteTable,
  RouterTable,
  PortTable,
  SwitchTable,
  MeterTable,
  TrafficDayTable,
} from './network/tables.ts';
import type { OperatorTable } from './operator/tables.ts';
import type { RecordTable, ZonePublicationTable, ZoneTable, ZoneVersionTable } from './dns/tables.ts';

export interface Tables {
  meta: { name: string; value: string };
  accounts: AccountTable;
  contacts: ContactTable;
  sign_ins: SignInTable;
  services: ServiceTable;
  invoices: InvoiceTable;
  invoice_lines: InvoiceLineTable;
  invoice_parties: InvoicePartiesTable;
  licences: LicenceTable;
  licence_prices: LicencePriceTable;
  payments: PaymentTable;
  ledger: LedgerTable;
  invoice_numbers: InvoiceNumberTable;
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
  audit_tips: AuditTipTable;
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
  nodes: HypervisorTable;
  templates: TemplateTable;
  machines: MachineTable;
  screen_sessions: VncSessionTable;
}
