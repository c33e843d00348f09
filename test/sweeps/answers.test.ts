// What operations return and leave behind: the declared shape and nothing more, and an audit row for every change.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { applySite } from '#app/site/apply.ts';
import { effectOf, isReading } from '#contract/endpoint.ts';
import { countResults } from '#http/responses.ts';
import { auditVerify } from '#store/account/audit.ts';
import { absentFixtures, inputs, isPersonal, createAccountFixtures } from '#test/support/account-fixtures.ts';
import type { Example } from '#test/support/examples.ts';
import { sendCall, call, errorOf, freeDevices, routes, type Route, type RouteResponse } from '#test/support/routes.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { bootableSite } from '#test/support/reloads.ts';
import { requestResult } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import type { AccountId } from '#store/account-id.ts';

const nameOf = ({ operation }: Route): string => `${operation.api}.${operation.name}`;
/** Staff's operations have their own sweep. */
const customers = routes.filter(({ operation }) => operation.api !== 'operator');
const mutations = customers.filter(({ endpoint }) => effectOf(endpoint) !== 'none');

/** The schema with every object closed, so that an undeclared member is an error. */
function closed(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value
      ? { ...value, additionalProperties: false }
      : value,
  ) as TSchema;
}

/** Actions on equipment are recorded before and after; calls that only read or preview are not recorded. */
function auditRows({ endpoint }: Route, input: Example): number {
  if (isReading(endpoint, input) || input['dry_run'] === true) return 0;
  return effectOf(endpoint) === 'equipment' ? 2 : 1;
}

describe('every customer operation', () => {
  let app: TestApp;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    app = await openTestApp();
    folder = await temporaryFolder('answers');
    await applySite(app.parts, {
      ...bootableSite(app.site, folder.path),
      webhooks: { allow: ['127.0.0.0/8'] },
      // Nothing sends the messages here.
      mail: { from: 'noreply@example.net', url: 'https://panel.example.net', relays: [{ host: '127.0.0.1' }] },
    });
  });
  after(() => app[Symbol.asyncDispose]());
  after(() => folder[Symbol.asyncDispose]());

  /** The outcomes in the audit log, by the label of the route. */
  const outcomes = new Map<string, Set<string>>();

  /** Calls the route as the customer, and checks what a change leaves in the audit log. */
  async function callAudited(route: Route, input: Example): Promise<RouteResponse> {
    const { queries } = app.parts.store;
    const last = await queries.selectFrom('audit').select('id').orderBy('id', 'desc').executeTakeFirst();
    const options = call(route, input, route.method === 'GET' ? 'query' : 'json', { key: app.lab.customer.key });
    const response = await sendCall(app.http, options);
    const added = queries
      .selectFrom('audit')
      .selectAll()
      .where('id', '>', last?.id ?? 0);
    const rows = await added.orderBy('id').execute();
    if (effectOf(route.endpoint) === 'none') return response;
    assert.equal(rows.length, auditRows(route, input), `${route.label}: ${response.text}`);
    const row = rows.at(-1);
    if (row === undefined) return response;
    assert.equal(row.account_id, Number(app.lab.customer.account));
    assert.equal(row.operation, nameOf(route));
    assert.equal(row.address, options.remoteAddress);
    assert.equal(row.request_id, response.headers['x-request-id']);
    assert.equal(row.outcome, response.status < 300 ? 'success' : (errorOf(response).code ?? row.outcome));
    assert.notEqual(row.key_id, null);
    assert.doesNotMatch(JSON.stringify(row), /correct horse|hy_/);
    outcomes.set(route.label, (outcomes.get(route.label) ?? new Set()).add(row.outcome));
    return response;
  }

  test('returns its declared shape with nothing added, and counts its results', async () => {
    // One of everything, so that no list is empty.
    await createAccountFixtures(app, app.lab.customer.key);
    for (const route of customers) {
      let succeeded = 0;
      for (const input of inputs(route, await createAccountFixtures(app, app.lab.customer.key, route), app.lab)) {
        const response = await callAudited(route, input);
        if (response.status >= 300) continue;
        succeeded++;
        assert.equal(response.headers['cache-control'], 'no-store');
        assert.match(String(response.headers['ratelimit-policy']), /^"key";q=\d+;w=\d+$/, route.label);
        assert.match(String(response.headers['ratelimit']), /^"key";r=\d+;t=\d+$/, route.label);
        const type = route.endpoint.file ?? 'application/json; charset=utf-8';
        assert.equal(response.headers['content-type'], response.status === 204 ? undefined : type);
        if (route.endpoint.file !== undefined) continue;
        assert.deepEqual(Object.keys(response.body), ['success', 'results', 'result'], route.label);
        assert.equal(response.body.success, true);
        const shape = closed(route.endpoint.result);
        const { result, results } = response.body;
        // The message is expensive.
        if (!Check(shape, result)) assert.fail(`${route.label}: ${JSON.stringify(Errors(shape, result))}`);
        if (route.endpoint.resultsAs === undefined) assert.equal(results, countResults(result), route.label);
      }
      // The lab's key is not a session, and DNSSEC and proofs need the public DNS: other tests cover those.
      if (!isPersonal(route) && !/^v2\.(?:dnssec|zoneClaimVerify)/.test(nameOf(route)))
        assert.ok(succeeded > 0, `no example of ${route.label} succeeds: declare in this file what it names`);
    }
  });

  test('that changes something leaves an audit row, whether it succeeds or is rejected', async () => {
    const account = Number(app.lab.customer.account) as AccountId;
    const { store } = app.parts;
    const [invoice] = await requestResult<{ id: string }[]>(app, 'GET', '/v2/account/invoice', {
      key: app.lab.customer.key,
    });
    // The first test makes the calls that succeed.
    for (const route of mutations) {
      await freeDevices(app);
      for (const input of inputs(route, { ...absentFixtures, invoice: invoice!.id }, app.lab))
        await callAudited(route, input);
    }
    for (const [label, statuses] of outcomes) {
      if (!/\/v2\/(?:session|account\/(?:export|erasure|sign-on)|dns\/dnssec|dns\/claim)/.test(label))
        assert.ok(statuses.has('success'), label);
    }
    assert.equal(await auditVerify(store.queries, account), undefined);
    const own = await store.queries.selectFrom('audit').select('id').where('account_id', '=', account).execute();
    assert.equal(await auditShown(app), own.length);
  });
});

/** Returns the number of entries that the account reads, page by page. */
async function auditShown(app: TestApp): Promise<number> {
  let count = 0;
  for (let before: string | undefined; ;) {
    const result = await requestResult<{ id: string }[]>(app, 'GET', '/v2/account/audit', {
      key: app.lab.customer.key,
      params: { limit: 1000, ...(before === undefined ? {} : { before }) },
    });
    if (result.length === 0) return count;
    count += result.length;
    before = result.at(-1)!.id;
  }
}
