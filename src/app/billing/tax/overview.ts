// What staff need to know about tax: settings, VAT rates in force, and the states of VAT numbers.
import type { Static } from 'typebox';
import { validationStates } from '#contract/shapes/tax.ts';
import type { TaxOverview } from '#contract/shapes/tax-data.ts';
import { moneyText } from '#lib/money.ts';
import { dayNumberText, dayOf, timeText } from '#lib/time.ts';
import { vatNumberCounts, vatNumbersRejected } from '#store/billing/account-taxes.ts';
import type { Context } from '../../app.ts';
import { getCurrencySettings } from '../currency/settings.ts';
import { hasAccessPoint } from '../delivery/settings.ts';
import { getSeller } from '../invoice-parties.ts';
import { ratesInForce } from './rates.ts';
import { getTaxSettings } from './settings.ts';

const maxRejected = 100;

export async function taxOverview({ app, queries }: Context): Promise<Static<typeof TaxOverview>> {
  const settings = await getTaxSettings(queries);
  const counts = await vatNumberCounts(queries);
  const rejected = await vatNumbersRejected(queries, maxRejected);
  return {
    isactive: settings !== undefined,
    country: (await getSeller(queries)).country,
    currency: (await getCurrencySettings(queries))?.currency ?? '',
    oss: settings?.hasOss === true,
    smallbusiness: settings?.isSmallBusiness === true,
    registrations: settings?.registrations ?? [],
    register: settings?.registerUrl ?? '',
    countryheader: settings?.countryHeader ?? '',
    network: await hasAccessPoint(queries),
    numbers: validationStates.map((validation) => ({ validation, count: String(counts.get(validation) ?? 0) })),
    rejected: rejected.map((row) => ({
      account: String(row.account_id),
      name: row.companyname === '' ? `${row.firstname} ${row.lastname}` : row.companyname,
      vatnumber: row.vat_number,
      checked: row.checked_at === null ? null : timeText(row.checked_at),
    })),
    rates: ratesInForce(dayOf(app.clock.now())).map(({ territory, rate, day }) => ({
      territory,
      rate: moneyText(rate),
      since: dayNumberText(day),
    })),
  };
}
