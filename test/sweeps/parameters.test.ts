// What each parameter takes and refuses, over every route, in every place and encoding in which it can be sent.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Type } from 'typebox';
import { fullExample, leastExample, malformedTexts, malformedValues, otherExample } from '#test/support/examples.ts';
import {
  ask,
  call,
  encodingsOf,
  freeDevices,
  keyFor,
  refusal,
  routes,
  textOf,
  type Route,
  type Told,
} from '#test/support/routes.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

/** An answer that does not blame what was sent: none of the reader's own reasons stands in it. */
function letThrough(answer: Told, { endpoint }: Route): boolean {
  const reasons = Object.values(endpoint.params).map((schema) => (schema as { 'x-reason'?: string })['x-reason'] ?? '');
  const blames = ['is given twice', 'is not a parameter', 'is required', ...reasons];
  return answer.status !== 400 || !blames.some((reason) => refusal(answer).message?.includes(reason));
}

function names(answer: Told, route: Route, parameter: string): void {
  assert.equal(answer.status, 400, `${route.label} ${parameter}: ${answer.text}`);
  assert.equal(answer.body.success, false);
  assert.equal(answer.body.results, 0);
  const { code, message, fields } = refusal(answer);
  if (route.operation.face === 'legacy') assert.ok(message?.includes(`${parameter} `), answer.text);
  else {
    assert.equal(code, 'invalid_parameter');
    assert.ok(fields?.[parameter], `${route.label}: ${answer.text}`);
  }
}

describe('every route', () => {
  let yard: TestYard;
  before(async () => {
    yard = await openTestYard();
  });
  after(() => yard[Symbol.asyncDispose]());
  const key = (route: Route) => keyFor(yard, route);

  test('takes its parameters, all of them and only those it must have, in every encoding', async () => {
    for (const route of routes) {
      await freeDevices(yard);
      for (const encoding of encodingsOf(route)) {
        for (const input of [fullExample(route.endpoint), leastExample(route.endpoint)]) {
          if (route.inPath.some((name) => !(name in input))) continue;
          const answer = await ask(yard.http, call(route, input, encoding, { key: key(route) }));
          assert.ok(letThrough(answer, route), `${route.label} by ${encoding}: ${answer.text}`);
          assert.ok(answer.status < 500 || answer.status === 501, `${route.label}: ${answer.text}`);
        }
      }
    }
  });

  test('names what it misses', async () => {
    for (const route of routes) {
      for (const parameter of Object.keys(leastExample(route.endpoint))) {
        if (route.inPath.includes(parameter)) continue;
        const { [parameter]: _, ...input } = fullExample(route.endpoint);
        for (const encoding of encodingsOf(route))
          names(await ask(yard.http, call(route, input, encoding, { key: key(route) })), route, parameter);
      }
    }
  });

  test('names a value that is not of its kind', async () => {
    for (const route of routes) {
      const input = fullExample(route.endpoint);
      for (const [parameter, schema] of Object.entries(route.endpoint.params)) {
        const encoding = route.method === 'GET' ? 'query' : 'form';
        for (const text of malformedTexts(schema)) {
          // A path with nothing at that place is another path, and one that long is refused as a whole.
          if (route.inPath.includes(parameter) && (text === '' || text.length > 4096)) continue;
          const answer = await ask(
            yard.http,
            call(route, { ...input, [parameter]: text }, encoding, { key: key(route) }),
          );
          names(answer, route, parameter);
        }
        if (route.method === 'GET' || route.inPath.includes(parameter)) continue;
        for (const value of malformedValues(schema)) {
          const answer = await ask(
            yard.http,
            call(route, { ...input, [parameter]: value }, 'json', { key: key(route) }),
          );
          names(answer, route, parameter);
        }
      }
    }
  });

  test('tells all faults at once', async () => {
    for (const route of routes) {
      const required = Object.keys(leastExample(route.endpoint)).filter((name) => !route.inPath.includes(name));
      const input = Object.fromEntries(
        Object.entries(fullExample(route.endpoint)).filter(([name]) => !required.includes(name)),
      );
      const answer = await ask(yard.http, call(route, input, encodingsOf(route).at(-1)!, { key: key(route) }));
      for (const parameter of required) names(answer, route, parameter);
    }
  });

  test('refuses by name what is no parameter, but for legacy, which lets it pass', async () => {
    for (const route of routes) {
      await freeDevices(yard);
      for (const encoding of encodingsOf(route)) {
        for (const stray of ['stauts', '__proto__', 'constructor', 'toString']) {
          const input = { ...fullExample(route.endpoint), [stray]: 'Paid' };
          Object.defineProperty(input, stray, { value: 'Paid', enumerable: true });
          const answer = await ask(yard.http, call(route, input, encoding, { key: key(route) }));
          if (route.operation.face !== 'legacy') names(answer, route, stray);
          else assert.ok(letThrough(answer, route), `${route.label}: ${answer.text}`);
        }
      }
    }
  });

  test('refuses one name with two values, and takes it with one value twice', async () => {
    for (const route of routes) {
      await freeDevices(yard);
      const input = fullExample(route.endpoint);
      for (const [parameter, schema] of Object.entries(route.endpoint.params)) {
        const aliases = Object.entries(route.endpoint.aliases ?? {}).filter(([, name]) => name === parameter);
        for (const spelling of [parameter, ...aliases.map(([alias]) => alias)]) {
          for (const options of repeated(route, input, spelling, otherExample(schema)))
            names(await ask(yard.http, options), route, parameter);
          for (const options of [...repeated(route, input, spelling, input[parameter])].slice(-1)) {
            const answer = await ask(yard.http, options);
            assert.ok(letThrough(answer, route), `${route.label} ${spelling}: ${answer.text}`);
          }
        }
      }
    }
  });

  /** The call with the parameter given once more under `spelling`: in the query, and where there is a body, in it. */
  function* repeated(route: Route, input: Record<string, unknown>, spelling: string, value: unknown) {
    const again: [string, string] = [spelling, textOf(value)];
    for (const encoding of encodingsOf(route)) yield call(route, input, encoding, { key: key(route), query: [again] });
    if (route.method === 'GET') return;
    const rest = Object.entries(input).filter(([name]) => !route.inPath.includes(name));
    const form = new URLSearchParams([...rest.map(([name, one]) => [name, textOf(one)] as [string, string]), again]);
    yield call(route, input, 'form', { key: key(route), body: form.toString() });
    const members = [...rest, [spelling, value] as const].map(
      ([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`,
    );
    yield call(route, input, 'json', { key: key(route), body: `{${members.join(',')}}` });
    const order = [[spelling, value] as const, ...rest].map(
      ([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`,
    );
    yield call(route, input, 'json', { key: key(route), body: `{${order.join(',')}}` });
  }

  test('answers with its optional path parameter in the path, elsewhere and nowhere', async () => {
    const both = routes.filter(
      ({ url, endpoint, inPath, method }) =>
        inPath.length > 0 &&
        routes.some((other) => other.endpoint === endpoint && other.method === method && other.url !== url),
    );
    assert.ok(both.length >= 4, 'the documents have four such paths');
    for (const route of both) {
      const short = routes.find(
        (other) => other.endpoint === route.endpoint && other.method === route.method && other.url !== route.url,
      )!;
      const input = fullExample(route.endpoint);
      const inPath = await ask(yard.http, call(route, input, 'query', { key: key(route) }));
      const elsewhere = await ask(yard.http, call(short, input, 'query', { key: key(route) }));
      assert.deepEqual([inPath.status, inPath.text], [elsewhere.status, elsewhere.text], route.label);
      const optional = Object.values(route.endpoint.params).every((schema) => Type.IsOptional(schema));
      const nowhere = await ask(yard.http, call(short, {}, 'query', { key: key(route) }));
      assert.equal(letThrough(nowhere, route), optional, `${short.label}: ${nowhere.text}`);
    }
  });
});
