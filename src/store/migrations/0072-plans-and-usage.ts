// Plans that staff edit, announced price changes, cancellations, metered usage and coupons. Terms from before have none of the
// new prices, so they bill as they did.
import type { Migration } from './migration.ts';

export const plansAndUsage: Migration = {
  name: '0072-plans-and-usage',
  statements: ({ id, integer }) => {
    const account = `account_id ${integer} not null references accounts (id)`;
    const service = `service_id ${integer} not null references services (id)`;
    const term = 'alter table service_terms add column';
    return [
      `${term} hour_price ${integer}`,
      `${term} from_hour ${integer}`,
      `${term} until_hour ${integer}`,
      `${term} billed_hour ${integer}`,
      `${term} min_months ${integer} not null default 0`,
      `${term} mbit_cap_cents ${integer}`,
      `${term} address_cap_cents ${integer}`,
      `${term} usage_prices text not null default '[]'`,
      `${term} origin text not null default 'site' check (origin in ('site', 'order'))`,
      `${term} own_price ${integer} not null default 0`,
      'create index service_terms_of_plan on service_terms (plan, service_id)',
      `create table price_plans (name text primary key not null, definition text not null,
  state text not null check (state in ('Offered', 'Withdrawn')), created_at ${integer} not null,
  changed_at ${integer} not null)`,
      `create table price_changes (id ${id}, plan text not null references price_plans (name),
  definition text not null, from_day ${integer} not null, created_at ${integer} not null, applied_at ${integer})`,
      'create index price_changes_due on price_changes (from_day, id) where applied_at is null',
      'create index price_changes_of_plan on price_changes (plan, id)',
      `create table cancellations (${service}, ${account}, until_day ${integer} not null,
  otherwise_day ${integer}, requested_at ${integer} not null, requested_by text not null, reason text not null, primary key (service_id))`,
      'create index cancellations_of_account on cancellations (account_id, service_id)',
      'create index cancellations_by_day on cancellations (until_day, service_id)',
      // The quantity from this day until the day of the next row.
      `create table usage (${account}, ${service}, item text not null, day ${integer} not null,
  quantity ${integer} not null check (quantity >= 0), primary key (account_id, service_id, item, day))`,
      'create index usage_of_service on usage (service_id)',
      `create table coupons (code text primary key not null, percent ${integer}, amount_cents ${integer},
  max_uses ${integer}, uses ${integer} not null, periods ${integer}, from_day ${integer}, until_day ${integer},
  plans text not null, note text not null, created_at ${integer} not null, ended_at ${integer},
  check ((percent is null) <> (amount_cents is null)))`,
      `create table coupon_redemptions (${account}, code text not null references coupons (code),
  redeemed_at ${integer} not null, periods_used ${integer} not null, primary key (account_id, code))`,
      'create index coupon_redemptions_of_coupon on coupon_redemptions (code)',
    ];
  },
};
