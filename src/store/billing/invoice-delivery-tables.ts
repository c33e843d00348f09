// Row types of the tables for the delivery of e-invoices, exchange rates, and evidence of where customers are.
import type { GeneratedAlways } from 'kysely';
import type { DeliveryState, EvidenceSource, NetworkFormat } from '#contract/shapes/invoice-delivery.ts';
import type { AccountId } from '../account-id.ts';

/** One hand-over of an invoice to the network. When staff send it again, it gets another row. */
export interface InvoiceDeliveryTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  invoice_id: number;
  /** 1 for the first; with the invoice it is the identifier of the document, by which the network knows it. */
  attempt: number;
  format: NetworkFormat;
  state: DeliveryState;
  /** The electronic address as scheme and identifier; empty until it is sent. */
  receiver: string;
  /** The network's own name of the document; empty until it has one. */
  reference: string;
  /** Why it was rejected. */
  reason: string;
  /** Why the last try did not succeed, for staff; empty if it did. */
  problem: string;
  queued_at: number;
  sent_at: number | null;
  ended_at: number | null;
  failing_since: number | null;
  /** When it is sent, or its state asked for; null if it is at its end. */
  next_try_at: number | null;
}

/** How much of a currency a euro is worth. */
export interface ExchangeRateTable {
  currency: string;
  /** Days since 1970. */
  day: number;
  /** Millionths. */
  micros: number;
  /** `ecb`, or who entered it. */
  source: string;
  at: number;
}

/** The tax of an invoice in the seller's currency, with the rate that it was converted by. */
export interface InvoiceExchangeTable {
  invoice_id: number;
  account_id: AccountId;
  currency: string;
  tax_cents: number;
  /** Units of the invoice's currency for one of the seller's. */
  rate: string;
  rate_day: number;
}

export interface TaxEvidenceTable {
  account_id: AccountId;
  source: EvidenceSource;
  country: string;
  /** When it was last seen. */
  at: number;
}
