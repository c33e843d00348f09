// Row types of the tables for invoices, payments, terms and licences.
import type { GeneratedAlways, Generated } from 'kysely';
import type { LineType } from '#contract/shapes/account.ts';
import type { DeliveryWay, PdfForm } from '#contract/shapes/invoice-delivery.ts';
import type {
  CustomerKind,
  InvoiceAttachment,
  TaxCategory,
  TaxOverride,
  ValidationState,
} from '#contract/shapes/tax.ts';
import type { LicenceStatus } from '#contract/shapes/software.ts';
import type { AccountId } from '../account-id.ts';

export interface InvoiceTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  number: string;
  day: number;
  due_day: number;
  paid_at: number | null;
  /** Overdue is not stored: it is an Unpaid invoice past its due day. */
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
  /** For a credit note, the invoice that it corrects. */
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
  /** Its entry in the VAT breakdown; null if the invoice has none. */
  tax_position: number | null;
  /** On a credit note, the line of the invoice that this one credits. */
  corrects_line_id: number | null;
}

/** One entry of the VAT breakdown of an invoice. */
export interface InvoiceTaxTable {
  invoice_id: number;
  position: number;
  account_id: AccountId;
  category: TaxCategory;
  /** Hundredths of a percent. */
  rate: number;
  country: string;
  reason: string;
  reason_code: string;
  base_cents: number;
  tax_cents: number;
}

export interface AccountTaxTable {
  account_id: AccountId;
  kind: CustomerKind;
  /** Empty if there is none. */
  vat_number: string;
  /** The buyer's reference on every invoice, such as a Leitweg-ID. */
  reference: string;
  /** The electronic address as scheme and identifier, such as `0208:0428759497`. */
  endpoint: string;
  attachment: InvoiceAttachment;
  pdf: PdfForm;
  delivery: DeliveryWay;
  /** The country of the order, if known. */
  order_country: string;
  state: ValidationState;
  /** When the register last answered; null if it never did for this number. */
  checked_at: number | null;
  next_check_at: number | null;
  failing_since: number | null;
  override: TaxOverride;
  override_reason: string;
  changed_at: number;
}

/** An answer of the register, as evidence. */
export interface VatCheckTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  at: number;
  vat_number: string;
  state: ValidationState;
  /** The number under which the register knows the consultation. */
  consultation: string;
  register_name: string;
  register_address: string;
}

export interface InvoiceNumberTable {
  series: string;
  last: number;
}

export interface InvoiceNoticeTable {
  invoice_id: number;
  /** `overdue`, `reminder 1` or `late fee`. */
  kind: string;
  account_id: AccountId;
  at: number;
}

/** Staff's decision that unpaid invoices of an account have no consequences for now. */
export interface DunningHoldTable {
  account_id: AccountId;
  since: number;
  operator: string;
  reason: string;
}

export interface InvoicePartiesTable {
  invoice_id: number;
  account_id: AccountId;
  /** Both as JSON. */
  seller: string;
  buyer: string;
}

export interface PaymentTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  invoice_id: number;
  amount_cents: number;
  paid_at: number;
  method: string;
  reference: string;
  /** The receipt it is part of; null for opening balances and credit notes. */
  receipt_id: number | null;
}

export interface ReceiptTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  method: string;
  reference: string;
  amount_cents: number;
  paid_at: number;
}

export interface PaymentHookTable {
  name: string;
  method: string;
  secret: string;
}

export type Book =
  | 'receivable'
  | 'credit'
  | 'tax'
  | 'tax2'
  | 'goodwill'
  | 'opening'
  /** What customers owed and will not pay. */
  | 'written-off'
  /** Refunds on their way to the customer. */
  | 'refunds'
  | `revenue:${LineType}`
  | `paid:${string}`;

export type EntryKind = 'opening' | 'invoice' | 'payment' | 'credit' | 'refund' | 'chargeback' | 'write-off';

export interface LedgerTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  at: number;
  debit: Book;
  credit: Book;
  amount_cents: number;
  kind: EntryKind;
  invoice_id: number | null;
  reference: string;
}

export interface BillingAccountTable {
  account_id: AccountId;
  /** Day of the month, 1 to 28; 0 until the account has something to bill. */
  bill_day: number;
  /** First day of the next period to bill; null if there is nothing to bill. */
  next_day: number | null;
  /** First day of the last billed period. */
  last_day: number | null;
  /** The period of a run that has started and not ended. */
  run_day: number | null;
  revision: number;
}

export interface BillingSuspensionTable {
  account_id: AccountId;
  since: number;
  services: string;
}

export interface ServiceTermTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  service_id: number;
  plan: string;
  price_cents: number;
  setup_cents: number;
  cycle_months: number;
  /** Null if traffic is not billed. */
  committed_mbits: number | null;
  /** Per Mbit/s above the committed rate. */
  mbit_price_cents: number;
  addresses_included: number;
  address_price_cents: number;
  /** The most that traffic above the committed rate costs in a month; null without a limit. */
  mbit_cap_cents: number | null;
  address_cap_cents: number | null;
  /** Per started hour, in hundredths of a cent; null if the service is billed by the cycle. The price is then the most that a month costs. */
  hour_price: number | null;
  /** Prices of metered items beyond traffic and addresses, as JSON. */
  usage_prices: Generated<string>;
  /** Months before the customer can end it or change to a cheaper plan. */
  min_months: Generated<number>;
  /** 1 if the price was agreed for this service: changes of the plan's price leave it. */
  own_price: Generated<number>;
  /** Who chose the plan: the site file, or an order or change in the API. */
  origin: Generated<'site' | 'order'>;
  /** The first day of the service; quarters and years are counted from its month. */
  anchor_day: number;
  from_day: number;
  /** The day after the last; null if no end is known. */
  until_day: number | null;
  /** The day after the last one billed; null before the first bill. */
  billed_until: number | null;
  /** The same three in hours since 1970, if it is billed by the hour. */
  from_hour: number | null;
  until_hour: number | null;
  billed_hour: number | null;
}

export interface ChargeTable {
  account_id: AccountId;
  /** First day of the account's period in whose run it was billed. */
  period_day: number;
  kind: LineType;
  /** The billed item, such as `term 12` or `license 7`. */
  subject: string;
  from_day: number;
  until_day: number;
  amount_cents: number;
  invoice_id: number;
}

export interface LicenceTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  service_id: number;
  name: string;
  status: LicenceStatus;
  /** Per month, at the time of the order. */
  price_cents: number;
  from_day: number;
  /** The first day on which it is no longer valid; null until it is cancelled. */
  until_day: number | null;
  /** The first day that is not billed yet. */
  billed_until: number;
  /** Sealed; null until the provider has one. */
  licence_key: string | null;
  /** The workflow of the current order. */
  workflow_id: string;
  created_at: number;
}

export interface LicencePriceTable {
  name: string;
  /** What people read; empty if the provider gave none. */
  label: string;
  price_cents: number;
}
