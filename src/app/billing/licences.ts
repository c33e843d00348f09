// Software licences, billed ahead for a month like hosting. The days of the first month were billed with the order; a month
// that begins while the provider still has no key is not billed, nor is one of a service that is gone or an account that is closed.
import { moneyPart } from '#kernel/money.ts';
import { accountFind } from '#store/account/accounts.ts';
import { licenceBilledSet, licencesOpen, type Licence } from '#store/billing/licences.ts';
import { partText, spanText, type BillContext, type Charge, type Charged } from './charges.ts';

export async function licenceCharges({ queries, account, period, services }: BillContext): Promise<Charged> {
  const open = (await licencesOpen(queries, account)).filter(
    ({ service_id }) => services.get(service_id)?.status !== 'Terminated',
  );
  if (open.length === 0 || (await accountFind(queries, account))?.status === 'Closed')
    return { charges: [], goesOn: false };
  const licences = open.filter(({ status, billed_until }) => status === 'Active' && billed_until < period.until);
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
    goesOn: true,
  };
}

/** By a name of its own for ever, so that no day of it is billed twice. */
export function licenceSubject({ id }: Pick<Licence, 'id'>): string {
  return `license ${id}`;
}
