// Coupons and who redeemed them. An account redeems a coupon at most once, and the count of its uses never exceeds its limit,
// because both are conditions of the same statements that write them.
import { sql, type Insertable, type Selectable } from 'kysely';
import { Type } from 'typebox';
import { prepared } from '../engine/prepared.ts';
import { affectsRows, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import { jsonColumn } from '../json-column.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { CouponRedemptionTable, CouponTable } from './tables.ts';

export type Coupon = Selectable<CouponTable>;
export type RedeemedCoupon = Coupon & Pick<CouponRedemptionTable, 'redeemed_at' | 'periods_used'>;

export const couponPlans = jsonColumn('coupons.plans', Type.Array(Type.String()));

export async function couponList(
  queries: Queries,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Coupon[]> {
  return queries.selectFrom('coupons').selectAll().where('code', '>', after).orderBy('code').limit(limit).execute();
}

export async function couponFind(queries: Queries, code: string): Promise<Coupon | undefined> {
  return selectWhere(queries, 'coupons', { code }).selectAll().executeTakeFirst();
}

/** Returns false if the code exists. */
export async function couponInsert(queries: Queries, coupon: Insertable<CouponTable>): Promise<boolean> {
  return affectsRows(insertNew(queries, 'coupons', coupon).returning('code'));
}

export async function couponEnd(queries: Queries, code: string, now: number): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'coupons', { code, ended_at: null }).set({ ended_at: now }).returning('code'),
  );
}

/** Returns false if its uses are exhausted. */
export async function couponUse(queries: Queries, code: string): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'coupons', { code })
      .set({ uses: sql`uses + 1` })
      .where((where) => where.or([where('max_uses', 'is', null), where('uses', '<', where.ref('max_uses'))]))
      .returning('code'),
  );
}

/** Returns false if the account has redeemed it before. */
export async function redemptionInsert(
  queries: Queries,
  redemption: Insertable<CouponRedemptionTable>,
): Promise<boolean> {
  return affectsRows(insertNew(queries, 'coupon_redemptions', redemption).returning('code'));
}

const ofAccount = prepared((queries: Queries, values: { account: AccountId }) =>
  queries
    .selectFrom('coupon_redemptions')
    .innerJoin('coupons', 'coupons.code', 'coupon_redemptions.code')
    .selectAll('coupons')
    .select(['redeemed_at', 'periods_used'])
    .where('account_id', '=', values.account)
    .orderBy('redeemed_at')
    .orderBy('coupons.code'),
);
/** Returns the coupons of an account, the first redeemed first. */
export async function couponsOfAccount(queries: Queries, account: AccountId): Promise<RedeemedCoupon[]> {
  return ofAccount(queries, { account });
}

export async function couponPeriodCount(queries: Queries, account: AccountId, code: string): Promise<void> {
  await updateWhere(queries, 'coupon_redemptions', { account_id: account, code })
    .set({ periods_used: sql`periods_used + 1` })
    .execute();
}
