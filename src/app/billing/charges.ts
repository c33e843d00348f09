// What a bill is made of. Each kind of thing that is billed says for itself what it costs in a period; the run puts it together.
// Hosting is billed ahead, traffic and addresses once they have been used.
import type { LineType } from '#contract/shapes/account.ts';
import type { Period } from '#kernel/billing-calendar.ts';
import { dayNumberText } from '#kernel/moments.ts';
import { moneyText } from '#kernel/money.ts';
import type { ServiceTerm } from '#store/billing/service-terms.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import type { Measured } from './measure.ts';

export interface BillContext {
  readonly queries: Queries;
  readonly account: AccountId;
  /** Of the month. */
  readonly billDay: number;
  /** What is billed ahead. */
  readonly period: Period;
  /** What is billed in arrears. */
  readonly previous: Period;
  /** Terms of the account that one of the two may concern. */
  readonly terms: readonly ServiceTerm[];
  readonly services: ReadonlyMap<number, Service>;
  readonly measured: readonly Measured[];
}

export interface Charge {
  readonly kind: LineType;
  /** What it is for, by a name that is its own for ever: no two charges of a run have kind, subject and first day in common. */
  readonly subject: string;
  readonly service: number | undefined;
  readonly from: number;
  readonly until: number;
  readonly cents: number;
  readonly description: string;
}

export interface Charged {
  readonly charges: readonly Charge[];
  /** In the transaction of the invoice: remembers what has been billed. */
  settle?(queries: Queries): Promise<void>;
  /** Whether there will be something to bill in the next period. */
  readonly goesOn: boolean;
}

/** `context.queries` is only read from. */
export type Billable = (context: BillContext) => Promise<Charged>;

/** "Dedicated E3 (web1.example.net)" */
export function titleOf(term: ServiceTerm, services: BillContext['services']): string {
  const hostname = services.get(term.service_id)?.hostname;
  return hostname === undefined ? term.plan : `${term.plan} (${hostname})`;
}

/** "2026-11-19 to 2026-11-30" */
export function spanText(from: number, until: number): string {
  return `${dayNumberText(from)} to ${dayNumberText(until - 1)}`;
}

/** ", 12 of 30 days at 89.00"; nothing where it is all of them, and the price therefore the amount. */
export function partText(days: number, whole: number, cents: number): string {
  return days === whole ? '' : `, ${days} of ${whole} days at ${moneyText(cents)}`;
}
