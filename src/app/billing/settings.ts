// What the provider's site says of bills, kept in the database so that every node goes by the same.
import type { Site } from '#contract/site.ts';
import { moneyCents } from '#kernel/money.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import { paymentHookFind, paymentHooksSet } from '#store/billing/payment-hooks.ts';
import type { Queries } from '#store/store.ts';
import type { Yard } from '../yard.ts';

export interface BillingSettings {
  readonly termsDays: number;
  /** Undefined: each account has the day of its first service. */
  readonly day: number | undefined;
  readonly numbers: string;
  readonly method: string;
  readonly attacks: 'count' | 'leave out';
  readonly reminderDays: readonly number[];
  readonly lateFee: { readonly afterDays: number; readonly cents: number; readonly share: number } | undefined;
  readonly suspendAfterDays: number | undefined;
  readonly liftOnPayment: boolean;
  /** Country to its two rates, in hundredths of a percent. */
  readonly taxes: Readonly<Record<string, readonly [number, number]>>;
}

const metaName = 'billing';

export async function billingSettingsPut(yard: Yard, queries: Queries, site: Site): Promise<void> {
  await metaPut(queries, metaName, JSON.stringify(settingsOf(site)));
  const hooks = (site.billing?.hooks ?? []).map(async ({ name, method, secret }) => {
    const before = await paymentHookFind(queries, name);
    const context = paymentHookContext(name);
    const sealed =
      before !== undefined && yard.secrets.open(before.secret, context) === secret
        ? before.secret
        : yard.secrets.seal(secret, context);
    return { name, method: method ?? name, secret: sealed };
  });
  await paymentHooksSet(queries, await Promise.all(hooks));
}

export function paymentHookContext(name: string): string {
  return `payment hook ${name}`;
}

function settingsOf({ billing = {}, taxes = [] }: Pick<Site, 'billing' | 'taxes'>): BillingSettings {
  const { lateFee } = billing;
  // Percent with two decimals has the form of money, so that "21.00" is read as 2100 hundredths of a percent.
  const number = (text: string | undefined): number => moneyCents(text ?? '0')!;
  return {
    termsDays: billing.terms ?? 14,
    day: billing.day,
    numbers: billing.numbers ?? '{year}-{000000}',
    method: billing.method ?? 'banktransfer',
    attacks: billing.attacks ?? 'count',
    reminderDays: (billing.reminders ?? []).toSorted((one, other) => one - other),
    lateFee: lateFee && {
      afterDays: lateFee.after,
      cents: number(lateFee.amount),
      share: number(lateFee.percent),
    },
    suspendAfterDays: billing.suspendAfter,
    liftOnPayment: billing.liftOnPayment ?? true,
    taxes: Object.fromEntries(taxes.map(({ country, rate, rate2 }) => [country, [number(rate), number(rate2)]])),
  };
}

export async function billingSettings(queries: Queries): Promise<BillingSettings> {
  const text = await metaFind(queries, metaName);
  return text === undefined ? settingsOf({}) : (JSON.parse(text) as BillingSettings);
}
