// Billing settings from the site file, stored in the database so that all instances use the same.
import { Type, type Static } from 'typebox';
import type { Site } from '#contract/site/site.ts';
import { pickDefined } from '#lib/defined.ts';
import { moneyCents } from '#lib/money.ts';
import { metaEntry } from '#store/meta.ts';
import { paymentHookFind, paymentHooksSet } from '#store/billing/payment-hooks.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';

const BillingSettings = Type.Object({
  termsDays: Type.Integer(),
  /** If undefined, each account's billing day is that of its first service. */
  day: Type.Optional(Type.Integer()),
  numbers: Type.String(),
  /** Of credit notes; undefined if they share the series of invoices. */
  creditNoteNumbers: Type.Optional(Type.String()),
  method: Type.String(),
  attacks: Type.Unsafe<'count' | 'leave out'>(Type.String()),
  reminderDays: Type.Array(Type.Integer()),
  lateFee: Type.Optional(Type.Object({ afterDays: Type.Integer(), cents: Type.Integer(), share: Type.Integer() })),
  suspendAfterDays: Type.Optional(Type.Integer()),
  liftOnPayment: Type.Boolean(),
  /** Country to its two tax rates, in hundredths of a percent. */
  taxes: Type.Record(Type.String(), Type.Unsafe<readonly [number, number]>(Type.Array(Type.Integer()))),
});
export type BillingSettings = Static<typeof BillingSettings>;

const entry = metaEntry('billing', BillingSettings);

export async function storeBillingSettings(app: App, queries: Queries, site: Site): Promise<void> {
  await entry.put(queries, readSettings(site));
  const hooks = (site.billing?.hooks ?? []).map(async ({ name, method, secret }) => {
    const stored = (await paymentHookFind(queries, name))?.secret;
    const context = paymentHookSealContext(name);
    const isSame = stored !== undefined && app.secrets.open(stored, context) === secret;
    return { name, method: method ?? name, secret: isSame ? stored : app.secrets.seal(secret, context) };
  });
  await paymentHooksSet(queries, await Promise.all(hooks));
}

export function paymentHookSealContext(name: string): string {
  return `payment hook ${name}`;
}

function readSettings({ billing = {}, taxes = [] }: Pick<Site, 'billing' | 'taxes'>): BillingSettings {
  const { lateFee } = billing;
  // Percentages with two decimals are parsed like money: "21.00" is 2100 hundredths of a percent.
  const number = (text: string | undefined): number => moneyCents(text ?? '0')!;
  return {
    termsDays: billing.terms ?? 14,
    ...pickDefined({ day: billing.day }),
    numbers: billing.numbers ?? '{year}-{000000}',
    ...pickDefined({ creditNoteNumbers: billing.creditNoteNumbers }),
    method: billing.method ?? 'banktransfer',
    attacks: billing.attacks ?? 'count',
    reminderDays: (billing.reminders ?? []).toSorted((left, right) => left - right),
    ...(lateFee && {
      lateFee: { afterDays: lateFee.after, cents: number(lateFee.amount), share: number(lateFee.percent) },
    }),
    ...pickDefined({ suspendAfterDays: billing.suspendAfter }),
    liftOnPayment: billing.liftOnPayment ?? true,
    taxes: Object.fromEntries(taxes.map(({ country, rate, rate2 }) => [country, [number(rate), number(rate2)]])),
  };
}

export async function getBillingSettings(queries: Queries): Promise<BillingSettings> {
  return (await entry.find(queries)) ?? readSettings({});
}
