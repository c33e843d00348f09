// Converts stored services and their billing terms to site file entries.
import type { Site, SiteService } from '#contract/site/site.ts';
import { cycles, type Cycle, type SitePlan } from '#contract/site/billing.ts';
import { dayNumberText } from '#lib/time.ts';
import { moneyCents, moneyText } from '#lib/money.ts';
import type { ServiceTerm } from '#store/billing/service-terms.ts';
import type { SiteRows } from '#store/operator/site-rows.ts';
import { suspendedServices } from '#store/billing/billing-suspensions.ts';

/**
 * Returns the file's plans, plus one for each plan that running terms still use: without it, applying the export would
 * end those terms.
 */
export function plansOf({ terms }: SiteRows, plans: readonly SitePlan[]): SitePlan[] {
  const planNames = new Set(plans.map(({ name }) => name));
  const lastTerms = new Map(terms.map((term) => [term.service_id, term]));
  const others = new Map(
    [...lastTerms.values()].filter(({ plan }) => !planNames.has(plan)).map((term) => [term.plan, term]),
  );
  return [...plans, ...[...others.values()].map(planOf)];
}

function planOf(term: ServiceTerm): SitePlan {
  const cycle = Object.entries(cycles).find(([, months]) => months === term.cycle_months)![0] as Cycle;
  const { committed_mbits: committed, addresses_included: included, address_price_cents } = term;
  return {
    name: term.plan,
    price: moneyText(term.price_cents),
    cycle,
    ...(committed === null ? {} : { bandwidth: { committed, price: moneyText(term.mbit_price_cents) } }),
    ...(included === 0 && address_price_cents === 0
      ? {}
      : { addresses: { included, price: moneyText(address_price_cents) } }),
  };
}

export function servicesOf(rows: SiteRows, plans: readonly SitePlan[]): NonNullable<Site['services']> {
  const machines = new Map(rows.machines.map((machine) => [machine.service_id, machine]));
  const terms = Map.groupBy(rows.terms, ({ service_id }) => service_id);
  const prices = new Map(plansOf(rows, plans).map(({ name, price }) => [name, moneyCents(price)]));
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
      ...termsOf(terms.get(id) ?? [], prices),
    };
  });
}

function machineOf(machine: SiteRows['machines'][number] | undefined): Pick<SiteService, 'machine'> {
  if (machine === undefined) return {};
  const { vcpus, memory_mb: memoryMb, disk_gb: diskGb, bandwidth_gb: bandwidthGb, template, wanted_node } = machine;
  const node = wanted_node === null ? {} : { node: wanted_node };
  return { machine: { vcpus, memoryMb, diskGb, bandwidthGb, template, ...node } };
}

function termsOf(
  terms: readonly ServiceTerm[],
  prices: ReadonlyMap<string, number | undefined>,
): Pick<SiteService, 'plan' | 'price' | 'start' | 'end'> {
  const lastTerm = terms.at(-1);
  if (lastTerm === undefined) return {};
  return {
    plan: lastTerm.plan,
    ...(prices.get(lastTerm.plan) === lastTerm.price_cents ? {} : { price: moneyText(lastTerm.price_cents) }),
    start: dayNumberText(terms[0]!.from_day),
    // Terms that ended on their first day have no last billed day.
    ...(lastTerm.until_day === null
      ? {}
      : { end: dayNumberText(Math.max(lastTerm.until_day - 1, terms[0]!.from_day)) }),
  };
}
