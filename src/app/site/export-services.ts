// Converts stored services and their billing terms to site file entries.
import type { Site, SiteService } from '#contract/site/site.ts';
import { cycles, type Cycle, type SitePlan, type UsageItem } from '#contract/site/billing.ts';
import { dayNumberText } from '#lib/time.ts';
import { moneyCents, moneyText } from '#lib/money.ts';
import { usagePrices, type ServiceTerm } from '#store/billing/service-terms.ts';
import type { SiteRows } from '#store/operator/site-rows.ts';
import type { AccountId } from '#store/account-id.ts';
import { planIn } from '../billing/currency/plan-prices.ts';
import { hourPriceText } from '../billing/plan-terms.ts';
import { suspendedServices } from '#store/billing/billing-suspensions.ts';

/**
 * Returns the file's plans, plus one for each plan that running terms still use: without it, applying the export would
 * end those terms. Plans of the panel are not part of the file.
 */
export function plansOf(
  { terms, panelPlans, accounts }: SiteRows,
  plans: readonly SitePlan[],
  own: string,
): SitePlan[] {
  const currencies = new Map(accounts.map(({ id, currency }) => [id, currency]));
  const planNames = new Set([...plans.map(({ name }) => name), ...panelPlans]);
  const lastTerms = new Map(terms.map((term) => [term.service_id, term]));
  const others = new Map(
    [...lastTerms.values()].filter(({ plan }) => !planNames.has(plan)).map((term) => [term.plan, term]),
  );
  return [...plans, ...[...others.values()].map((term) => planOf(term, currencies.get(term.account_id) ?? own, own))];
}

function planOf(term: ServiceTerm, currency: string, own: string): SitePlan {
  const cycle = Object.entries(cycles).find(([, months]) => months === term.cycle_months)![0] as Cycle;
  const { committed_mbits: committed, addresses_included: included, address_price_cents } = term;
  const usage = usagePrices.decode(term.usage_prices);
  const cap = (cents: number | null | undefined) => (cents == null ? {} : { cap: moneyText(cents) });
  return {
    name: term.plan,
    ...(currency === own ? {} : { currency }),
    price: moneyText(term.price_cents),
    cycle,
    ...(committed === null
      ? {}
      : { bandwidth: { committed, price: moneyText(term.mbit_price_cents), ...cap(term.mbit_cap_cents) } }),
    ...(included === 0 && address_price_cents === 0
      ? {}
      : { addresses: { included, price: moneyText(address_price_cents), ...cap(term.address_cap_cents) } }),
    ...(term.hour_price === null ? {} : { hourly: hourPriceText(term.hour_price) }),
    ...(term.min_months === 0 ? {} : { minimum: term.min_months }),
    ...(usage.length === 0
      ? {}
      : {
          usage: usage.map(({ item, included: free, priceCents, capCents }) => ({
            item: item as UsageItem,
            included: free,
            price: moneyText(priceCents),
            ...cap(capCents),
          })),
        }),
  };
}

export function servicesOf(rows: SiteRows, plans: readonly SitePlan[], own: string): NonNullable<Site['services']> {
  const machines = new Map(rows.machines.map((machine) => [machine.service_id, machine]));
  const terms = Map.groupBy(rows.terms, ({ service_id }) => service_id);
  const byName = new Map(plansOf(rows, plans, own).map((plan) => [plan.name, plan]));
  const currencies = new Map(rows.accounts.map((account) => [account.id, account.currency]));
  const priceFor = (plan: string, account: AccountId): number | undefined => {
    const known = byName.get(plan);
    const price = known && planIn(known, currencies.get(account) ?? own, own)?.price;
    return price === undefined ? undefined : moneyCents(price);
  };
  const unpaid = new Set(rows.suspensions.flatMap(({ services }) => suspendedServices.decode(services)));
  return rows.services.map((service) => {
    const { id, account_id: customer, type, name, hostname, ip, status, server, vmid } = service;
    // The server itself sets and clears these statuses, so the file must not.
    const isDefaultStatus = status === 'Active' || status === 'Pending' || (status === 'Suspended' && unpaid.has(id));
    return {
      id,
      customer,
      type,
      name,
      hostname,
      ...(isDefaultStatus ? {} : { status }),
      ip,
      ...(server === null ? {} : { server }),
      ...(vmid === null ? {} : { vmid }),
      ...machineOf(machines.get(id)),
      ...billingOf(terms.get(id) ?? [], priceFor, rows.panelPlans),
    };
  });
}

function machineOf(machine: SiteRows['machines'][number] | undefined): Pick<SiteService, 'machine'> {
  if (machine === undefined) return {};
  const { vcpus, memory_mb: memoryMb, disk_gb: diskGb, bandwidth_gb: bandwidthGb, template, wanted_node } = machine;
  const node = wanted_node === null ? {} : { node: wanted_node };
  const adopt = machine.hypervisor_name === null ? {} : { adopt: machine.hypervisor_name };
  const filter = machine.unfiltered === 0 ? {} : { filter: false };
  return { machine: { vcpus, memoryMb, diskGb, bandwidthGb, template, ...node, ...adopt, ...filter } };
}

function billingOf(
  terms: readonly ServiceTerm[],
  priceFor: (plan: string, account: AccountId) => number | undefined,
  panelPlans: ReadonlySet<string>,
): Pick<SiteService, 'plan' | 'price' | 'start' | 'end'> {
  const [first, last] = [terms[0], terms.at(-1)];
  if (first === undefined || last === undefined || panelPlans.has(last.plan)) return {};
  const { plan, account_id, price_cents, until_day } = last;
  return {
    plan,
    ...(priceFor(plan, account_id) === price_cents ? {} : { price: moneyText(price_cents) }),
    start: dayNumberText(first.from_day),
    // Terms that ended on their first day have no last billed day.
    ...(until_day === null ? {} : { end: dayNumberText(Math.max(until_day - 1, first.from_day)) }),
  };
}
