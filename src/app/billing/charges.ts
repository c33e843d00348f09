// The parts of a bill. Each kind of billable computes its own charges for a period, and the run combines them. Hosting
// is billed in advance, traffic and addresses in arrears.
import type { LineType } from '#contract/shapes/account.ts';
import type { Period } from './billing-periods.ts';
import { dayNumberText } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import type { ServiceTerm, UsagePrice } from '#store/billing/service-terms.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import type { TaxDecision } from './tax/rules.ts';
import type { Measurement } from './measure.ts';
import type { AccountId } from '#store/account-id.ts';

export interface BillContext {
  /** For reading: charges are computed for a dry run too. */
  readonly queries: Queries;
  readonly account: AccountId;
  /** Day of the month. */
  readonly billDay: number;
  /** Billed in advance. */
  readonly period: Period;
  /** Billed in arrears. */
  readonly previous: Period;
  /** The account's terms that overlap either period. */
  readonly terms: readonly ServiceTerm[];
  readonly services: ReadonlyMap<number, Service>;
  readonly measured: readonly Measurement[];
}

export interface Charge {
  readonly kind: LineType;
  /** Identifies what is charged, permanently: no two charges of a run share kind, subject and first day. */
  readonly subject: string;
  readonly service: number | undefined;
  readonly from: number;
  readonly until: number;
  readonly cents: number;
  readonly description: string;
  /** If the charge is a credit: the tax that was charged. */
  readonly chargedTax?: TaxDecision | undefined;
}

export interface ChargesOfKind {
  readonly charges: readonly Charge[];
  /** Records what has been billed, in the transaction of the invoice. */
  settle?(queries: Queries): Promise<void>;
  /** True if there will be something to bill in the next period. */
  readonly continues: boolean;
}

/** Days on which a price applies to what is metered on the service of a term. */
export interface PricedDays extends Period {
  readonly title: string;
  readonly term: ServiceTerm;
  readonly price: UsagePrice;
}

/** Returns a function that limits what one thing of a service costs in a period, over all terms of the service. */
export function createCaps(): (subject: string, cents: number, cap: number | null | undefined) => number {
  const spent = new Map<string, number>();
  return (subject, cents, cap) => {
    const before = spent.get(subject) ?? 0;
    const limited = Math.min(cents, Math.max(0, (cap ?? Infinity) - before));
    spent.set(subject, before + limited);
    return limited;
  };
}

export function termSubject({ id }: Pick<ServiceTerm, 'id'>): string {
  return `term ${id}`;
}

/** For example "Dedicated E3 (web1.example.net)". */
export function termTitle(term: ServiceTerm, services: BillContext['services']): string {
  const hostname = services.get(term.service_id)?.hostname;
  return hostname === undefined ? term.plan : `${term.plan} (${hostname})`;
}

/** For example "2026-11-19 to 2026-11-30". */
export function spanText(from: number, until: number): string {
  return `${dayNumberText(from)} to ${dayNumberText(until - 1)}`;
}

/** For example ", 12 of 30 days at 89.00"; empty for a whole period, when price and amount are the same. */
export function prorationText(days: number, whole: number, cents: number): string {
  return days === whole ? '' : `, ${days} of ${whole} days at ${moneyText(cents)}`;
}
