// The site file's part about billing: plans, taxes, and the policies for invoices and overdue payments.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { Datev } from './datev.ts';
import { PlanMachine } from './machines.ts';
import { Secret } from './secrets.ts';

export const Day = Type.String({ format: 'date', 'x-reason': 'must be a day such as 2026-01-31' });
export const Amount = p.Matching(
  '^-?[0-9]{1,13}(?:\\.[0-9]{1,2})?$',
  'must be an amount with at most two decimals, such as 12.50',
);
export const Rate = p.Matching(
  '^[0-9]{1,3}(?:\\.[0-9]{1,2})?$',
  'must be a percentage with at most two decimals, such as 21.00',
);
export const Price = p.Matching(
  '^[0-9]{1,9}(?:\\.[0-9]{1,2})?$',
  'must be a price with at most two decimals, such as 89.00',
);
export const HourPrice = p.Matching(
  '^[0-9]{1,6}(?:\\.[0-9]{1,4})?$',
  'must be a price with at most four decimals, such as 0.0125',
);
const Days = p.Whole(0, 3650);
const maxChanges = 50;

export const cycles = { monthly: 1, quarterly: 3, yearly: 12 } as const;
export type Cycle = keyof typeof cycles;

const quota = {
  /** IPv4 addresses, counting those that the service has from this file; 8 by default, or what its plan includes. */
  ipv4: Type.Optional(p.Whole(0, 1_000_000)),
  /** Networks of the size /64; 16 by default. */
  ipv6: Type.Optional(p.Whole(0, 1_000_000)),
};

/** A service's addresses without approval; requests beyond it wait for staff. */
export const AddressQuota = p.StrictObject({
  ...quota,
  /** The percentage of the pools that only staff can assign from, for example for new services; 10 by default. */
  reserve: Type.Optional(p.Whole(0, 100)),
});

/** Metered items other than traffic rates and addresses, and the unit of their prices. */
export const usageUnits = { traffic: 'TB', backups: 'GB', snapshots: 'GB', volumes: 'GB' } as const;
export type UsageItem = keyof typeof usageUnits;
export const usageItems = Object.keys(usageUnits) as UsageItem[];
const eachItemOnce = { maxItems: usageItems.length, 'x-reason': 'must list each item once' };

/** Of each further unit, and the most that all of them cost, a month. */
const unitPrice = { price: Price, cap: Type.Optional(Price) };
const Item = Type.Unsafe<UsageItem>(p.Choice(...usageItems));

const Usage = p.StrictObject({
  /** Traffic in both directions, or the size of backups or snapshots at the end of each day. */
  item: Item,
  /** Units a month that cost nothing: TB of traffic, GB of backups and snapshots. */
  included: p.Whole(0, 1_000_000),
  ...unitPrice,
});

export const maxPlanCurrencies = 20;

/** Every price that the plan has in its own currency, in another one. What it includes is the same. */
const PlanPrices = p.StrictObject({
  currency: p.CurrencyCode,
  price: Price,
  hourly: Type.Optional(HourPrice),
  setup: Type.Optional(Price),
  bandwidth: Type.Optional(p.StrictObject(unitPrice)),
  addresses: Type.Optional(p.StrictObject(unitPrice)),
  usage: Type.Optional(Type.Array(p.StrictObject({ item: Item, ...unitPrice }), eachItemOnce)),
});

/** Also the plans that staff create in the panel. */
export const Plan = p.StrictObject({
  name: p.Text({ max: 64 }),
  /** Of its prices below; the provider's by default. Only accounts with this currency, or one of `prices`, can have it. */
  currency: Type.Optional(p.CurrencyCode),
  /** Per cycle, without tax. */
  price: Price,
  /** Per started hour. `price` is then the most that a month costs, and `cycle` is monthly. */
  hourly: Type.Optional(HourPrice),
  /** Charged once, on the first invoice. */
  setup: Type.Optional(Price),
  cycle: p.Choice('monthly', 'quarterly', 'yearly'),
  /** Months before customers can cancel the plan, or change to a cheaper one. */
  minimum: Type.Optional(p.Whole(1, 60)),
  /** The plans that customers can change to. */
  changes: Type.Optional(p.List(p.Text({ max: 64 }), { max: maxChanges })),
  /**
   * Traffic at the 95th percentile: up to `committed` Mbit/s are included, each further one costs `price` a month, and all
   * together at most `cap`.
   */
  bandwidth: Type.Optional(p.StrictObject({ committed: p.Whole(0, 10_000_000), ...unitPrice })),
  /** IPv4 addresses: this many are included, each further one costs `price` a month, and all together at most `cap`. */
  addresses: Type.Optional(p.StrictObject({ included: p.Whole(0, 1_000_000), ...unitPrice })),
  /** Additional metered items. */
  usage: Type.Optional(Type.Array(Usage, eachItemOnce)),
  /** The prices for accounts in other currencies. */
  prices: Type.Optional(
    Type.Array(PlanPrices, {
      maxItems: maxPlanCurrencies,
      'x-reason': `must be at most ${maxPlanCurrencies} currencies`,
    }),
  ),
  /** The size of a virtual machine on this plan, and whether customers can order one by themselves. */
  machine: Type.Optional(PlanMachine),
  /** Replaces `addressQuota` of the site for services of this plan. */
  addressQuota: Type.Optional(p.StrictObject(quota)),
});

const Tax = p.StrictObject({ country: p.CountryCode, rate: Rate, rate2: Type.Optional(Rate) });

const NumberPattern = p.Matching(
  '^[A-Za-z0-9./-]{0,20}(?:\\{year\\}[A-Za-z0-9./-]{0,20})?\\{0{1,10}\\}[A-Za-z0-9./-]{0,20}$',
  'must be a pattern such as INV-{year}-{00000}',
);

const Policy = p.StrictObject({
  /** Days from an invoice to its due date; 14 by default. */
  terms: Type.Optional(Days),
  /** Day of the month on which accounts without their own are billed; by default the day of their first service. */
  day: Type.Optional(p.Whole(1, 28)),
  /** The zeros are the running number; with {year} it restarts every year. "{year}-{000000}" by default. */
  numbers: Type.Optional(NumberPattern),
  /** The series of credit notes; by default they share that of invoices. */
  creditNoteNumbers: Type.Optional(NumberPattern),
  /** The payment method shown on invoices; banktransfer by default. */
  method: Type.Optional(p.Text({ max: 64 })),
  /** Whether samples during an attack count for the 95th percentile; they do by default. */
  attacks: Type.Optional(p.Choice('count', 'leave out')),
  /** Days after the due date on which the customer is reminded. */
  reminders: Type.Optional(Type.Array(Days, { maxItems: 10, 'x-reason': 'must be at most 10 numbers of days' })),
  /** Charged once for an invoice that is this many days late: an amount, a share of the open amount, or both. */
  lateFee: Type.Optional(p.StrictObject({ after: Days, amount: Type.Optional(Price), percent: Type.Optional(Rate) })),
  /** Days after the due date on which the account and its services are suspended; never if omitted. */
  suspendAfter: Type.Optional(Days),
  /** True, the default, if a suspension is lifted automatically once no invoice is that late. */
  liftOnPayment: Type.Optional(Type.Boolean()),
  /** How the ledger is exported to DATEV. */
  datev: Type.Optional(Datev),
  /** Payment providers that report payments to /hooks/payments/NAME, signed as standardwebhooks.com specifies. */
  hooks: Type.Optional(
    Type.Array(
      p.StrictObject({
        name: p.Matching('^[a-z0-9-]{1,32}$', 'must be letters, digits and hyphens'),
        /** The payment method that they appear as; by default the name. */
        method: Type.Optional(p.Text({ max: 64 })),
        /** whsec_… and base64. */
        secret: Secret,
      }),
    ),
  ),
});

export const billing = {
  plans: Type.Optional(Type.Array(Plan)),
  taxes: Type.Optional(Type.Array(Tax)),
  billing: Type.Optional(Policy),
};
export const serviceBilling = {
  /** One of `plans`; a service without one is not billed. */
  plan: Type.Optional(p.Text({ max: 64 })),
  /** Replaces the plan's price. */
  price: Type.Optional(Price),
  /** The first day to bill; by default the day on which the service first has a plan. */
  start: Type.Optional(Day),
  /** The last day to bill. */
  end: Type.Optional(Day),
};
export const customerBilling = {
  /** Day of the month on which the account is billed. It cannot be changed after the first invoice. */
  billingDay: Type.Optional(p.Whole(1, 28)),
  /** The currency of the account; that of the provider by default. It cannot be changed after the first booking. */
  currency: Type.Optional(p.CurrencyCode),
};

export type SitePlan = Static<typeof Plan>;
export type SitePlanPrices = Static<typeof PlanPrices>;
