// A contact that is limited to one server, at every endpoint: the account's other servers do not exist. Whatever names one
// of them gets the same response as one that names nothing, to the byte, and no list contains them. The contract says
// which parameters name servers, so a new operation is covered the day it is declared.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createAccountFixtures, inputs, type AccountFixtures } from '#test/support/account-fixtures.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents } from '#test/support/event-stream.ts';
import type { Example } from '#test/support/examples.ts';
import { createLimitedContact } from '#test/support/limited-contacts.ts';
import { requestResult } from '#test/support/request.ts';
import { resourceOf, withResource, type ResourceKind } from '#test/support/resource-parameters.ts';
import { callRoute, routes, type Route, type RouteResponse } from '#test/support/routes.ts';

const names = {
  dedicated: { service: '1001', server: 'dc01r01ds01', machine: '98765', address: '203.0.113.10' },
  vps: { service: '2001', server: 'dc77r77ds77', machine: '101', address: '203.0.113.130' },
  absent: { service: '98765', server: 'dc77r77ds77', machine: '98765', address: '203.0.113.77' },
} as const;
type Names = (typeof names)[keyof typeof names];

const kinds = new Set<ResourceKind | undefined>(['service', 'server', 'machine', 'address']);
const ofCustomers = routes.filter(
  ({ operation, endpoint }) => operation.api !== 'operator' && endpoint.access !== 'public',
);
const naming = ofCustomers.flatMap((route) => {
  const parameters = Object.entries(route.endpoint.params).flatMap(([name, schema]) => {
    const kind = resourceOf(route.endpoint, name, schema);
    return kinds.has(kind) ? [{ name, schema, kind: kind as keyof Names }] : [];
  });
  return parameters.length === 0 ? [] : [{ route, parameters }];
});
/** Invoices are those of the whole account: whoever may read bills reads all of them. */
const listing = ofCustomers.filter(
  ({ method, endpoint: { effect, tag, access } }) =>
    method === 'GET' && effect === undefined && tag !== 'session' && access !== 'billing:read',
);

describeOnEngines('a contact limited to one server', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let fixtures: AccountFixtures;
  /** Keys by the only server that exists for them. */
  let keys: Readonly<Record<'dedicated' | 'vps', string>>;
  before(async () => {
    app = await openApp({ site: { webhooks: { allow: ['127.0.0.0/8'] } } });
    fixtures = await createAccountFixtures(app, app.lab.customer.key);
    const keyOf = async (service: string) => (await createLimitedContact(app, [service])).key;
    keys = { dedicated: await keyOf(names.dedicated.service), vps: await keyOf(names.vps.service) };
    await allowBursts();
  });

  /** A sweep is a burst. */
  const allowBursts = () => app.parts.store.queries.updateTable('keys').set({ rate: 1e6, burst: 1e6 }).execute();

  const send = (route: Route, input: Example, key: string): Promise<RouteResponse> =>
    callRoute(app, route, input, route.method === 'GET' ? 'query' : 'json', { key });

  for (const [own, hidden] of [
    ['vps', 'dedicated'],
    ['dedicated', 'vps'],
  ] as const)
    test(`gets the same for the other (${hidden}) as for a nonexistent one`, async () => {
      assert.ok(naming.length > 80);
      for (const { route, parameters } of naming) {
        const responses: string[] = [];
        for (const base of inputs(route, fixtures, app.lab)) {
          const inputFor = (named: Names): Example => ({
            ...base,
            ...Object.fromEntries(
              parameters.map(({ name, schema, kind }) => [name, withResource(schema, base[name], named[kind])]),
            ),
          });
          const response = await send(route, inputFor(names[hidden]), keys[own]);
          const absent = await send(route, inputFor(names.absent), keys[own]);
          assert.deepEqual(comparable(response), comparable(absent), `${route.label}: ${response.text}`);
          assert.ok(response.status !== 200 || isEmpty(response), `${route.label}: ${response.text}`);
          responses.push(response.text);
        }
        // Otherwise another error came first, and nothing is proved.
        const isSeen = responses.some(
          (text) => /not_found|not found|No such|does not exist/i.test(text) || text.includes('"result":[]'),
        );
        assert.ok(isSeen, `${route.label}: ${responses.join(' ')}`);
      }
    });

  test('sees nothing of the others in lists, events, audit log, plans, deliveries, nor anywhere else', async () => {
    const { key } = app.lab.customer;
    // Callers that have called nothing: the audit log lists what somebody tried, with the names that they gave.
    const { key: fresh } = await createLimitedContact(app, [names.vps.service]);
    await allowBursts();
    const owner = (method: string, path: string, params: Example) => requestResult(app, method, path, { key, params });
    const { service } = names.dedicated;
    await owner('POST', '/v2/device/hostname', { service, hostname: 'hidden-host.example.com' });
    await owner('PUT', '/v2/device/label', { service, add: ['hidden-label'] });
    await owner('PUT', '/v2/dns/reverse', { ip: names.dedicated.address, record: 'hidden-name.example.com' });
    await owner('POST', '/v2/plan', { operation: 'devicePowerSet', params: { service, action: 'off' } });
    await owner('POST', '/v2/plan', { operation: 'reverseDelete', params: { ip: names.dedicated.address } });
    const traces = /hidden-|dc01r01ds01|203\.0\.113\.10\b|2001:db8:1::10\b|"1001"|service[ =]1001/;
    const shownBy = new Set<string>();
    for (const route of listing)
      for (const { service: _, server: __, vmid: ___, ...input } of inputs(route, fixtures, app.lab)) {
        if (!route.inPath.every((name) => name in input)) continue;
        const limited = await send(route, input, fresh);
        assert.notEqual(limited.status, 429, route.label);
        assert.doesNotMatch(limited.text, traces, route.label);
        if (traces.test((await send(route, input, key)).text)) shownBy.add(route.operation.name);
      }
    for (const operation of [
      'auditGet',
      'deviceList',
      'deviceStateList',
      'eventLogGet',
      'planGet',
      'reverseList',
      'contactGet',
    ])
      assert.ok(shownBy.has(operation), `${operation} lists it without limits`);
    const list = await requestResult<{ service: string }[]>(app, 'GET', '/v2/device/list', { key: fresh });
    assert.deepEqual(
      list.map((device) => device.service),
      [names.vps.service],
    );
    assert.doesNotMatch(JSON.stringify(await listEvents(app, fresh, { limit: 1000 })), traces);
    const events = JSON.stringify(await listEvents(app, keys.dedicated, { limit: 1000 }));
    for (const type of ['device.hostname.changed', 'dns.reverse.changed', 'plan.created'])
      assert.ok(events.includes(type), `${type} is visible to people with the server`);
  });
});

function isEmpty({ text }: RouteResponse): boolean {
  return /"results?":(?:0|"0"|\[\]|\{\})/.test(text);
}

/** Removes what differs between any two calls. */
function comparable({ status, headers, text }: RouteResponse): unknown {
  const anonymous = Object.values(names)
    .flatMap((named) => Object.values(named))
    .reduce((without, name) => without.replaceAll(name, '…'), text.replaceAll(String(headers['x-request-id']), ''));
  return { status, anonymous };
}
