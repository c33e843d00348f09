// Plans, coupons, cancellations and previews of invoices in responses. Our additions.
import { Type } from 'typebox';
import { Day, Moment, Money } from './account.ts';
import { described, text } from './text.ts';

const cycleNames = ['monthly', 'quarterly', 'yearly'] as const;
const MoneyOrNothing = Type.Union([Money, Type.Literal('')]);
const DayOrNothing = Type.Union([Day, Type.Literal('')]);

const priceFields = {
  price: described('For each cycle, without tax; with an hourly price, the maximum per month'),
  hourly: described('Per started hour; empty if the plan is billed by the cycle'),
  setup: Money,
  mbitprice: Type.Union([Money, Type.Literal('')], { description: 'Monthly price of each further Mbit/s' }),
  mbitcap: Type.Union([Money, Type.Literal('')], { description: 'Maximum cost per month; empty for no limit' }),
  addressprice: MoneyOrNothing,
  addresscap: MoneyOrNothing,
};
const usageFields = {
  item: described('`traffic` in TB, `backups`, `snapshots` or `volumes` in GB'),
  price: Money,
  cap: Type.Union([Money, Type.Literal('')], { description: 'Maximum cost per month; empty for no limit' }),
};

export const planFields = {
  name: text,
  ...priceFields,
  cycle: Type.Enum(cycleNames),
  months: described('Months in a cycle'),
  minimum: described('Months before customers can cancel it or change to a cheaper plan'),
  changes: Type.Array(text, { description: 'The plans that customers can change to' }),
  mbits: described('Included Mbit/s at the 95th percentile; empty if traffic rates are not billed'),
  addresses: described('Included IPv4 addresses; empty if addresses are not billed'),
  usage: Type.Array(Type.Object({ ...usageFields, included: described('Included units per month') })),
};

const PlanOffer = Type.Object(planFields);

export const planMachineFields = {
  vcpus: described('Size of a virtual machine on the plan; empty if the plan has none'),
  memorymb: text,
  diskgb: text,
  bandwidthgb: described('Monthly traffic allowance; 0 for none'),
  type: described('The type of operating systems that it runs; empty for any'),
  size: described('Size of the block of addresses that a machine gets'),
  order: Type.Boolean({ description: 'Whether customers can order a machine on this plan' }),
};

export const PricePlan = Type.Object({
  ...planFields,
  ...planMachineFields,
  currency: described('Currency of the prices above'),
  prices: Type.Array(Type.Object({ currency: text, ...priceFields, usage: Type.Array(Type.Object(usageFields)) }), {
    description: 'The prices in other currencies',
  }),
  origin: Type.Enum(['site', 'panel'], { description: 'Plans from the site file can only be changed there' }),
  state: Type.Enum(['Offered', 'Withdrawn'], { description: 'A withdrawn plan is not available for new services' }),
  services: described('Number of services on it'),
  changefrom: Type.Union([Day, Type.Literal('')], {
    description: 'When existing services get new prices; empty if no change is planned',
  }),
});

export const DevicePlan = Type.Object({
  plan: described('Empty if the service is not billed'),
  price: MoneyOrNothing,
  hourly: described('Per started hour; empty if it is billed by the cycle'),
  months: described('Months in a cycle'),
  minimumto: Type.Union([Day, Type.Literal('')], { description: 'Last day of the minimum term; empty if it is over' }),
  earliestend: Type.Union([Day, Type.Literal('')], { description: 'Last day if the service were cancelled now' }),
  cancelledto: Type.Union([Day, Type.Literal('')], { description: 'Last day; empty if the service is not cancelled' }),
  cancelledby: Type.Enum(['customer', 'staff', '']),
  changefrom: Type.Union([Day, Type.Literal('')], { description: 'When new prices apply; empty if none are planned' }),
  changeprice: Type.Union([Money, Type.Literal('')], { description: 'The new price' }),
  changehourly: described('The new price per started hour'),
  changes: Type.Array(PlanOffer, { description: 'The plans that it can change to' }),
});

export const LastDay = Type.Object({ lastday: Day });

export const InvoicePreview = Type.Object({
  date: Type.Union([Day, Type.Literal('')], { description: 'When it is issued; empty if none is planned' }),
  currency: text,
  lines: Type.Array(Type.Object({ description: text, amount: Money })),
  subtotal: Money,
  tax: Money,
  credit: described('Credit of the account that it uses'),
  total: Money,
});

const couponFields = {
  code: text,
  percent: described('Empty for a coupon with an amount'),
  amount: Type.Union([Money, Type.Literal('')], {
    description: 'For each invoice; empty for a coupon with a percentage',
  }),
  periods: described('Number of invoices that it reduces; empty for all'),
  plans: Type.Array(text, { description: 'The plans that it applies to; empty for all' }),
};

export const OwnCoupon = Type.Object({
  ...couponFields,
  redeemed: Moment,
  periodsused: described('Number of invoices that it has reduced'),
});

export const Coupon = Type.Object({
  ...couponFields,
  uses: described('Number of accounts that have redeemed it'),
  maxuses: described('Empty for no limit'),
  from: DayOrNothing,
  until: DayOrNothing,
  note: text,
  created: Moment,
  ended: described('When staff ended it; otherwise empty'),
});

export const CancellationEntry = Type.Object({
  service: text,
  account: text,
  hostname: text,
  status: text,
  lastday: Day,
  requested: Moment,
  requestedby: Type.Enum(['customer', 'staff']),
  reason: text,
  ending: Type.Enum(['planned', 'announced', 'held', 'terminating', 'failed'], {
    description: '`announced`: the customer has received the final notice; `failed`: terminate it yourself',
  }),
  termination: described('When it is terminated, unless termination is held'),
  holdreason: described('Why staff hold the termination; otherwise empty'),
});
