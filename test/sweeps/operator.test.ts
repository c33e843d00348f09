// The operator's side, over every endpoint of it: who is let in, the declared shape of what is answered, and the trace that
// a change leaves in the provider's log.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { effectOf } from '#contract/endpoint.ts';
import { isPower, powersOf, roleNames, type OperatorRole } from '#contract/roles.ts';
import { countOf } from '#http/answers.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { auditVerify } from '#store/account/audit.ts';
import { keyInsert } from '#store/account/keys.ts';
import { fullExample, leastExample } from '#test/support/examples.ts';
import { operatorCall } from '#test/support/operator-things.ts';
import { ask, call, freeDevices, refusal, routes, type Route, type Told } from '#test/support/routes.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

const ofOperators = routes.filter(({ operation }) => operation.face === 'operator');
const guarded = ofOperators.filter(({ endpoint }) => endpoint.access !== 'public');

async function keyOfRole({ parts }: TestYard, role: OperatorRole): Promise<string> {
  const { text, printableId, secretHash } = makeKeyText();
  await keyInsert(parts.store.queries, {
    account_id: null,
    operator_role: role,
    contact_id: null,
    kind: 'key',
    printable_id: printableId,
    secret_hash: secretHash.toString('hex'),
    name: `a key of ${role}`,
    scopes: '[]',
    allow: '[]',
    rate: 1000,
    burst: 100_000,
    created_at: 0,
  });
  return text;
}

/** The schema with every object closed: a member that is not declared is a fault too. */
function closed(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value
      ? { ...value, additionalProperties: false }
      : value,
  ) as TSchema;
}

function told(yard: TestYard, route: Route, input: Record<string, unknown>, key: string): Promise<Told> {
  return ask(yard.http, call(route, input, route.method === 'GET' ? 'query' : 'json', { key }));
}

describe('the declarations of the operator’s side', () => {
  test('each have words of their own on the command line, two of them', () => {
    const commands = ofOperators.map(({ endpoint }) => endpoint.command ?? '');
    for (const command of commands) assert.match(command, /^[a-z]+(?:-[a-z]+)* [a-z]+(?:-[a-z]+)*$/);
    assert.equal(new Set(commands).size, commands.length);
  });

  test('ask for a power and nothing of a customer’s', () => {
    for (const { endpoint, label } of guarded) assert.ok(endpoint.access === 'any' || isPower(endpoint.access), label);
  });
});

describe('every endpoint of the operator', () => {
  let yard: TestYard;
  before(async () => {
    yard = await openTestYard({ trustedProxies: ['127.0.0.1'] });
  });
  after(() => yard[Symbol.asyncDispose]());

  test('lets in the roles that have its power, and no other', async () => {
    for (const role of roleNames) {
      const key = await keyOfRole(yard, role);
      const powers = powersOf(role);
      for (const route of guarded) {
        const { access } = route.endpoint;
        if (!isPower(access)) continue;
        // Things that are not there: whoever is let in is told so, and changes nothing for who comes next.
        const answer = await told(yard, route, { ...leastExample(route.endpoint), ...absent(route) }, key);
        if (powers.has(access)) assert.notEqual(answer.status, 403, `${route.label} for ${role}: ${answer.text}`);
        else {
          assert.equal(answer.status, 403, `${route.label} for ${role}: ${answer.text}`);
          assert.equal(refusal(answer).code, 'role_missing', route.label);
          assert.ok(refusal(answer).message!.includes(access), answer.text);
        }
      }
    }
  });

  test('answers in its declared shape, and a change stands in the provider’s log', async () => {
    const { queries } = yard.parts.store;
    for (const route of ofOperators) {
      await freeDevices(yard);
      const { params, key = yard.lab.operator.key } = await operatorCall(yard, route);
      const newest = queries.selectFrom('audit').selectAll().where('account_id', '=', providerAccount);
      const before = await newest.execute();
      const answer = await told(yard, route, params, key);
      assert.equal(answer.status, 200, `${route.label}: ${answer.text}`);
      const shape = closed(route.endpoint.result);
      const { result, results } = answer.body;
      assert.ok(Check(shape, result), `${route.label}: ${JSON.stringify(Errors(shape, result))}`);
      assert.equal(results, countOf(result), route.label);
      const added = (await newest.orderBy('id').execute()).slice(before.length);
      const effect = effectOf(route.endpoint);
      if (route.endpoint.access === 'public') continue;
      assert.equal(added.length, effect === 'none' ? 0 : effect === 'stored' ? 1 : 2, route.label);
      const last = added.at(-1);
      if (last === undefined) continue;
      assert.equal(last.operation, `operator.${route.operation.name}`);
      assert.equal(last.outcome, 'success');
      assert.notEqual(last.operator, null);
      assert.doesNotMatch(JSON.stringify(last), /correct horse|hy_/);
    }
    assert.equal(await auditVerify(queries, providerAccount), undefined);
  });
});

/** Ids that nobody has, in the place of every number and name that could be somebody's. */
function absent(route: Route): Record<string, unknown> {
  const full = fullExample(route.endpoint);
  const names = ['id', 'account', 'service', 'key'].filter((name) => typeof full[name] === 'number');
  return Object.fromEntries(names.map((name) => [name, 987_654]));
}
