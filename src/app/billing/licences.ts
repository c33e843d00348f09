// Charges for software licences, billed in advance by the month like hosting. The order's own invoice covers the first
// month. A month that begins before the provider has delivered the key is free, as are months of a terminated service
// or a closed account.
import { moneyPart } from '#lib/money.ts';
import { accountFind } from '#store/account/accounts.ts';
import { licencesOpen, licenceUpdate, type Licence } from '#store/billing/licences.ts';
import { prorationText, spanText, type BillContext, type Charge, type ChargesOfKind } from './charges.ts';

export async function licenceCharges({ queries, account, period, services }: BillContext): Promise<ChargesOfKind> {
  const open = (await licencesOpen(queries, account)).filter(
    ({ service_id }) => services.get(service_id)?.status !== 'Terminated',
  );
  if (open.length === 0 || (await accountFind(queries, account))?.status === 'Closed')
    return { charges: [], continues: false };
  const licences = open.filter(({ status, billed_until }) => status === 'Active' && billed_until < period.until);
  return {
    charges: licences.map((licence): Charge => {
      const from = Math.max(period.from, licence.billed_until);
      const whole = period.until - period.from;
      const hostname = services.get(licence.service_id)?.hostname ?? licence.service_id;
      const proration = prorationText(period.until - from, whole, licence.price_cents);
      return {
        kind: 'License',
        subject: licenceSubject(licence),
        service: licence.service_id,
        from,
        until: period.until,
        cents: moneyPart(licence.price_cents, from - period.from, whole, whole),
        description: `${licence.name} (${hostname}), ${spanText(from, period.until)}${proration}`,
      };
    }),
    async settle(transaction) {
      for (const { id } of licences) await licenceUpdate(transaction, account, id, { billed_until: period.until });
    },
    continues: true,
  };
}

/** Never reused, so that no day of a licence is billed twice. */
export function licenceSubject({ id }: Pick<Licence, 'id'>): string {
  return `license ${id}`;
}
