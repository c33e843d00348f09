// Software licences, billed ahead for a month like hosting. The days of the first month were billed with the order; a month
// that begins while the provider still has no key is not billed, nor is one of a service that is gone.
import { moneyPart } from '#kernel/money.ts';
import { licenceBilledSet, licencesToBill, type Licence } from '#store/licences.ts';
import { partText, spanText, type BillContext, type Charge, type Charged } from './charges.ts';

export async function licenceCharges({ queries, account, period, services }: BillContext): Promise<Charged> {
  const open = (await licencesToBill(queries, account, period.until)).filter(
    ({ service_id }) => services.get(service_id)?.status !== 'Terminated',
  );
  const licences = open.filter(({ status }) => status === 'Active');
  return {
    charges: licences.map((licence): Charge => {
      const from = Math.max(period.from, licence.billed_until);
      const whole = period.until - period.from;
      const hostname = services.get(licence.service_id)?.hostname ?? licence.service_id;
      const part = partText(period.until - from, whole, licence.price_cents);
      return {
        kind: 'License',
        subject: licenceSubject(licence),
        service: licence.service_id,
        from,
        until: period.until,
        cents: moneyPart(licence.price_cents, from - period.from, whole, whole),
        description: `${licence.name} (${hostname}), ${spanText(from, period.until)}${part}`,
      };
    }),
    async settle(settling) {
      for (const { id } of licences) await licenceBilledSet(settling, account, id, period.until);
    },
    goesOn: open.length > 0,
  };
}

/** By a name of its own for ever, so that no day of it is billed twice. */
export function licenceSubject({ id }: Pick<Licence, 'id'>): string {
  return `license ${id}`;
}
