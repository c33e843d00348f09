// hostyard coupon: discounts on plans.
import { apiCommand } from '../command.ts';

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List the coupons that you have redeemed',
    async run({ client, print }) {
      const columns = ['code', 'percent', 'amount', 'periods', 'periodsused', 'redeemed'] as const;
      await print.table(await client.couponList(), [...columns]);
    },
  }),
  apiCommand({
    usage: 'redeem <coupon>',
    summary: 'Redeem a coupon, from the next invoice on',
    run: async ({ client, print }, { coupon }) => print.text(await client.couponRedeem({ coupon })),
  }),
];
