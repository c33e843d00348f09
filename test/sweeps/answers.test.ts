// What operations answer and leave behind: the declared shape and nothing more, and an audit row for every change.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { applySite } from '#app/site/apply.ts';
import { effectOf, isReading } from '#contract/endpoint.ts';
import { countOf } from '#http/answers.ts';
import { auditVerify } from '#store/account/audit.ts';
import type { AccountId } from '#store/tables.ts';
import { absentThings, inputs, isPersonal, thingsOf } from '#test/support/account-things.ts';
import type { Example } from '#test/support/examples.ts';
import { ask, call, refusal, routes, type Route } from '#test/support/routes.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { bootable } from '#test/support/reloads.ts';
import { request } from '#test/support/request.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

const nameOf = ({ operation }: Route): string => `${operation.face}.${operation.name}`;
/** What the provider's staff do has a sweep of its own, beside this one. */
const customers = routes.filter(({ operation }) => operation.face !== 'operator');
const mutations = customers.filter(({ endpoint }) => effectOf(endpoint) !== 'none');

/** The schema with every object closed: a member that is not declared is a fault too. */
function closed(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value
      ? { ...value, additionalProperties: false }
      : value,
  ) as TSchema;
}

/** What acts on equipment is written down before and after; what only reads by its parameter is not. */
function auditRows({ endpoint }: Route, input: Example): number {
  if (isReading(endpoint, input)) return 0;
  return effectOf(endpoint) === 'equipment' ? 2 : 1;
}

describe('every operation of customers', () => {
  let yard: TestYard;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    yard = await openTestYard();
    folder = await temporaryFolder('answers');
    await applySite(yard.parts, { ...bootable(yard.site, folder.path), webhooks: { allow: ['127.0.0.0/8'] } });
  });
  after(() => yard[Symbol.asyncDispose]());
  after(() => folder[Symbol.asyncDispose]());

  test('answers in its declared shape, with nothing added, and counts its results', async () => {
    // One of everything, so that no list is empty.
    await thingsOf(yard, yard.lab.customer.key);
    for (const route of customers) {
      let succeeded = 0;
      for (const input of inputs(route, await thingsOf(yard, yard.lab.customer.key, route), yard.lab)) {
        const encoding = route.method === 'GET' ? 'query' : 'json';
        const answer = await ask(yard.http, call(route, input, encoding, { key: yard.lab.customer.key }));
        if (answer.status !== 200) continue;
        succeeded++;
        assert.equal(answer.headers['cache-control'], 'no-store');
        assert.match(String(answer.headers['ratelimit-policy']), /^"key";q=\d+;w=\d+$/, route.label);
        assert.match(String(answer.headers['ratelimit']), /^"key";r=\d+;t=\d+$/, route.label);
        const type = route.endpoint.file ?? 'application/json; charset=utf-8';
        assert.equal(answer.headers['content-type'], type);
        if (route.endpoint.file !== undefined) continue;
        assert.deepEqual(Object.keys(answer.body), ['success', 'results', 'result'], route.label);
        assert.equal(answer.body.success, true);
        const shape = closed(route.endpoint.result);
        const { result, results } = answer.body;
        assert.ok(Check(shape, result), `${route.label}: ${JSON.stringify(Errors(shape, result))}`);
        if (route.endpoint.resultsAs === undefined) assert.equal(results, countOf(result), route.label);
      }
      // The lab's key is no session, and signing zones needs another name server: their stories are told elsewhere.
      if (!isPersonal(route) && !nameOf(route).startsWith('v2.dnssec'))
        assert.ok(succeeded > 0, `no example of ${route.label} succeeds: say in this file what it names`);
    }
  });

  test('that changes something leaves an audit row, whether it succeeds or is refused', async () => {
    const account = Number(yard.lab.customer.account) as AccountId;
    const { store } = yard.parts;
    const outcomes = new Map<string, Set<string>>();
    for (const route of mutations) {
      const things = await thingsOf(yard, yard.lab.customer.key, route);
      const absent = { ...absentThings, invoice: things.invoice };
      for (const input of [...inputs(route, things, yard.lab), ...inputs(route, absent, yard.lab)]) {
        const last = await store.queries.selectFrom('audit').select('id').orderBy('id', 'desc').executeTakeFirst();
        const options = call(route, input, 'json', { key: yard.lab.customer.key });
        const answer = await ask(yard.http, options);
        const added = store.queries
          .selectFrom('audit')
          .selectAll()
          .where('id', '>', last?.id ?? 0);
        const rows = await added.orderBy('id').execute();
        assert.equal(rows.length, auditRows(route, input), `${route.label}: ${answer.text}`);
        if (rows.length === 0) continue;
        const row = rows.at(-1)!;
        const expected = answer.status === 200 ? 'success' : (refusal(answer).code ?? row.outcome);
        assert.equal(row.account_id, account);
        assert.equal(row.operation, nameOf(route));
        assert.equal(row.address, options.remoteAddress);
        assert.equal(row.request_id, answer.headers['x-request-id']);
        assert.equal(row.outcome, expected);
        assert.notEqual(row.key_id, null);
        assert.doesNotMatch(JSON.stringify(row), /correct horse|hy_/);
        const seen = outcomes.get(route.label) ?? new Set();
        outcomes.set(route.label, seen.add(row.outcome));
      }
    }
    for (const [label, seen] of outcomes) {
      if (!/\/v2\/(?:session|dns\/dnssec)/.test(label)) assert.ok(seen.has('success'), label);
    }
    assert.equal(await auditVerify(store.queries, account), undefined);
    const own = await store.queries.selectFrom('audit').select('id').where('account_id', '=', account).execute();
    assert.equal(await auditShown(yard), own.length);
  });
});

/** How many entries the account reads, page by page. */
async function auditShown(yard: TestYard): Promise<number> {
  let shown = 0;
  for (let before: string | undefined; ;) {
    const { body } = await request<{ result: { id: string }[] }>(yard, 'GET', '/v2/account/audit', {
      key: yard.lab.customer.key,
      params: { limit: 1000, ...(before === undefined ? {} : { before }) },
    });
    if (body.result.length === 0) return shown;
    shown += body.result.length;
    before = body.result.at(-1)!.id;
  }
}
