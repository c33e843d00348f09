// Charges for software licences, billed in advance by the month like hosting. The order's own invoice covers the first
// month. A month that begins before the provider has delivered the key is free, as are months of a terminated service
// or a closed account.
import { moneyPart } from '#lib/money.ts';
import { accountFind } from '#store/account/accounts.ts';
import { licencesOfAccount, licenceUpdate, type Licence } from '#store/billing/licences.ts';
import { prorationText, spanText, type BillContext, type Charge, type ChargesOfKind } from './charges.ts';

export async function licenceCharges({ queries, account, period, services }: BillContext): Promise<ChargesOfKind> {
  const open = (await licencesOfAccount(queries, account)).filter(
    ({ service_id }) => services.get(service_id)?.status !== 'Terminated',
  );
  if (open.length === 0 || (await accountFind(queries, account))?.status === 'Closed')
    return { charges: [], continues: false };
  // A cancelled one is also billed to its end: it may have been cancelled on the first day of a month, before the run.
  const due = open
    .filter(({ status }) => status !== 'Pending')
    .map((licence) => ({
      licence,
      from: Math.max(period.from, licence.billed_until),
      until: Math.min(period.until, licence.until_day ?? Infinity),
    }))
    .filter(({ from, until }) => from < until);
  return {
    charges: due.map(({ licence, from, until }): Charge => {
      const whole = period.until - period.from;
      const hostname = services.get(licence.service_id)?.hostname ?? licence.service_id;
      const proration = prorationText(until - from, whole, licence.price_cents);
      return {
        kind: 'License',
        subject: licenceSubject(licence),
        service: licence.service_id,
        from,
        until,
        cents: moneyPart(licence.price_cents, from - period.from, until - period.from, whole),
        description: `${licence.name} (${hostname}), ${spanText(from, until)}${proration}`,
      };
    }),
    async settle(transaction) {
      for (const { licence, until } of due)
        await licenceUpdate(transaction, account, licence.id, { billed_until: until });
    },
    continues: open.some(({ until_day }) => (until_day ?? Infinity) > period.until),
  };
}

/** Never reused, so that no day of a licence is billed twice. */
export function licenceSubject({ id }: Pick<Licence, 'id'>): string {
  return `license ${id}`;
}
