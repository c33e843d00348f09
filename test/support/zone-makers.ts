// Zones and records of accounts, and the input of operations on DNS that name them, for the sweeps.
import type { TestApp } from './app.ts';
import type { Example } from './examples.ts';
import { request, requestResult } from './request.ts';
import type { Route } from './routes.ts';

/** An existing zone with a record. */
export interface ZoneFixtures {
  readonly zone: string;
  readonly zoneName: string;
  readonly record: string;
}

export const absentZone: ZoneFixtures = { zone: '987654', zoneName: 'absent.example.org', record: '987654' };

let zones = 0;
export async function zoneOf(app: TestApp, key: string): Promise<ZoneFixtures> {
  const zoneName = `zone${zones++}.example.org`;
  const zone = await requestResult<string>(app, 'POST', '/dns/domain', { key, params: { name: zoneName } });
  const params = { name: 'a', type: 'A', content: '192.0.2.1' };
  const record = await request<{ result: string }>(app, 'POST', `/dns/domain/${zone}`, { key, params });
  return { zone, zoneName, record: record.body.result };
}

/** `domain` is a zone's id, except when a zone is created. */
export function zoneParameter({ endpoint: { params } }: Route): 'domain' | 'domain_id' | undefined {
  return (['domain', 'domain_id'] as const).find((name) => (params[name] as { type?: string })?.type === 'integer');
}

export function needsZone(route: Route | undefined): boolean {
  if (route === undefined || route.operation.api === 'automation') return true;
  return zoneParameter(route) !== undefined || 'changes' in route.endpoint.params;
}

/** Input of an operation on DNS that the account's zone makes succeed. */
export function dnsInputs(route: Route, fixtures: ZoneFixtures): Example {
  return {
    ...(zoneParameter(route) === undefined ? {} : zoneInputs(route, fixtures)),
    ...(route.operation.api === 'automation' ? toolInputs(route, fixtures) : {}),
    ...newZoneName(route),
    ...('changes' in route.endpoint.params ? changeInputs(fixtures) : {}),
  };
}

/** Changes of the zone, and a name in it for an address. */
function changeInputs({ zoneName }: ZoneFixtures): Example {
  const change = { action: 'add', name: `c.${zoneName}`, type: 'A', content: '192.0.2.3' };
  return { changes: [change], addresses: [{ ip: '203.0.113.10', record: `host.${zoneName}` }], dry_run: false };
}

/** Input of DNS tools, which name a zone instead of its id. */
function toolInputs({ endpoint: { params }, operation }: Route, { zoneName }: ZoneFixtures): Example {
  const set = { name: `tool.${zoneName}.`, type: 'TXT', changetype: 'REPLACE', records: [{ content: '"v"' }] };
  const values: Example = {
    zone: zoneName,
    rrsets: operation.name === 'zonePatch' ? [set] : operation.name === 'zoneCreate' ? [] : true,
    rrset_name: zoneName,
    rrset_type: 'NS',
    kind: 'Native',
    dnssec: false,
    nameservers: ['ns1.example.net'],
    fqdn: `_acme-challenge.${zoneName}`,
    value: 'v',
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in params));
}

function newZoneName(route: Route): Example {
  const createsZone = ['zoneCreate', 'zoneClaim'].includes(route.operation.name);
  const parameter = createsZone ? Object.keys(route.endpoint.params)[0]! : undefined;
  return parameter === undefined ? {} : { [parameter]: `new${zones++}.example.org` };
}

/** Further input of an operation on a zone. */
function zoneInputs({ endpoint: { params } }: Route, fixtures: ZoneFixtures): Example {
  const values: Example = {
    record: (params['record'] as { type?: string })?.type === 'integer' ? fixtures.record : `b.${fixtures.zoneName}`,
    records: [fixtures.record],
    name: 'b',
    content: '192.0.2.2',
    zonefile: '@ NS ns1.example.net.',
    version: 1,
    after: 0,
    before: 9,
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in params));
}
