// Values that each parameter accepts and rejects, on every route, in every place and encoding in which it can be sent.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Type } from 'typebox';
import { fullExample, requiredExample, malformedTexts, malformedValues, otherExample } from '#test/support/examples.ts';
import {
  callRoute,
  sendCall,
  call,
  encodingsOf,
  freeDevices,
  keyFor,
  errorOf,
  routes,
  textOf,
  type Encoding,
  type Route,
  type RouteResponse,
} from '#test/support/routes.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { isLongRun, variantsAt } from '#test/support/long-run.ts';

/** Returns whether the response blames nothing that was sent: it contains none of the parser's reasons. */
function isAccepted(response: RouteResponse, { endpoint }: Route): boolean {
  const reasons = Object.values(endpoint.params).map((schema) => (schema as { 'x-reason'?: string })['x-reason'] ?? '');
  const blames = ['is given twice', 'is not a parameter', 'is required.', 'is required;', ...reasons];
  return response.status !== 400 || !blames.some((reason) => errorOf(response).message?.includes(reason));
}

function assertNames(response: RouteResponse, route: Route, parameter: string): void {
  assert.equal(response.status, 400, `${route.label} ${parameter}: ${response.text}`);
  assert.equal(response.body.success, false);
  assert.equal(response.body.results, 0);
  const { code, message, fields } = errorOf(response);
  if (route.operation.api === 'legacy') assert.ok(message?.includes(`${parameter} `), response.text);
  else {
    assert.equal(code, 'invalid_parameter');
    assert.ok(fields?.[parameter], `${route.label} ${parameter}: ${response.text}`);
  }
}

/** All encodings for the first parameter, and one for each of the others. */
function encodingsInTurn(route: Route, index: number): readonly Encoding[] {
  return index === 0 ? encodingsOf(route) : variantsAt(index, encodingsOf(route));
}

describe('every route', () => {
  let app: TestApp;
  before(async () => {
    app = await openTestApp();
    // Thousands of calls, some of them expensive, would exhaust the budgets of the lab's keys.
    await app.parts.store.queries.updateTable('keys').set({ rate: 1e6, burst: 1e6 }).execute();
    app.parts.authentication.forget();
  });
  after(() => app[Symbol.asyncDispose]());
  const key = (route: Route) => keyFor(app, route);

  test('accepts its parameters, all of them and only the required ones, in every encoding', async () => {
    for (const [index, route] of routes.entries()) {
      await freeDevices(app);
      // Only lists and objects are written differently in each.
      const isPlain = Object.values(fullExample(route.endpoint)).every((value) => typeof value !== 'object');
      const least = variantsAt(index, encodingsOf(route));
      const most = isPlain ? variantsAt(index + 1, encodingsOf(route)) : encodingsOf(route);
      for (const encoding of encodingsOf(route)) {
        const examples = [
          ...(most.includes(encoding) ? [fullExample(route.endpoint)] : []),
          ...(least.includes(encoding) ? [requiredExample(route.endpoint)] : []),
        ];
        for (const input of examples) {
          if (route.inPath.some((name) => !(name in input))) continue;
          const response = await callRoute(app, route, input, encoding, { key: key(route) });
          assert.ok(isAccepted(response, route), `${route.label} by ${encoding}: ${response.text}`);
          assert.ok(response.status < 500 || response.status === 501, `${route.label}: ${response.text}`);
        }
      }
    }
  });

  test('names what is missing', async () => {
    for (const route of routes) {
      for (const [index, parameter] of Object.keys(requiredExample(route.endpoint)).entries()) {
        if (route.inPath.includes(parameter)) continue;
        const { [parameter]: _, ...input } = fullExample(route.endpoint);
        for (const encoding of encodingsInTurn(route, index))
          assertNames(await callRoute(app, route, input, encoding, { key: key(route) }), route, parameter);
      }
    }
  });

  test('names a value of the wrong type', async () => {
    const schemas = new Set<string>();
    for (const route of routes) {
      const input = fullExample(route.endpoint);
      for (const [index, [parameter, schema]] of Object.entries(route.endpoint.params).entries()) {
        // All values for the first parameter of a kind, and one for each of the others.
        const isFirst = schemas.size < schemas.add(JSON.stringify(schema)).size;
        const chosen = <Value>(all: readonly Value[]): readonly Value[] => (isFirst ? all : variantsAt(index, all));
        const encoding = route.method === 'GET' ? 'query' : 'form';
        for (const text of chosen(malformedTexts(schema))) {
          // An empty path segment is another path, and one that long is rejected as a whole.
          if (route.inPath.includes(parameter) && (text === '' || text.length > 4096)) continue;
          const response = await callRoute(app, route, { ...input, [parameter]: text }, encoding, { key: key(route) });
          assertNames(response, route, parameter);
        }
        if (route.method === 'GET' || route.inPath.includes(parameter)) continue;
        for (const value of chosen(malformedValues(schema))) {
          const response = await callRoute(app, route, { ...input, [parameter]: value }, 'json', { key: key(route) });
          assertNames(response, route, parameter);
        }
      }
    }
  });

  test('reports all problems at once', async () => {
    for (const route of routes) {
      const required = Object.keys(requiredExample(route.endpoint)).filter((name) => !route.inPath.includes(name));
      const input = Object.fromEntries(
        Object.entries(fullExample(route.endpoint)).filter(([name]) => !required.includes(name)),
      );
      const response = await callRoute(app, route, input, encodingsOf(route).at(-1)!, { key: key(route) });
      for (const parameter of required) assertNames(response, route, parameter);
    }
  });

  test('rejects unknown parameters by name, except for legacy and DNS tools, which may send them', async () => {
    for (const [place, route] of routes.entries()) {
      await freeDevices(app);
      for (const [index, encoding] of encodingsOf(route).entries()) {
        for (const stray of variantsAt(place + index, ['stauts', '__proto__', 'constructor', 'toString'])) {
          const input = { ...fullExample(route.endpoint), [stray]: 'Paid' };
          Object.defineProperty(input, stray, { value: 'Paid', enumerable: true });
          const response = await callRoute(app, route, input, encoding, { key: key(route) });
          if (!['legacy', 'automation'].includes(route.operation.api)) assertNames(response, route, stray);
          else assert.ok(isAccepted(response, route), `${route.label}: ${response.text}`);
        }
      }
    }
  });

  test('rejects one name with two values, and accepts one value twice', async () => {
    const schemas = new Set<string>();
    for (const route of routes) {
      await freeDevices(app);
      const input = fullExample(route.endpoint);
      for (const [index, [parameter, schema]] of Object.entries(route.endpoint.params).entries()) {
        const aliases = Object.entries(route.endpoint.aliases ?? {}).filter(([, name]) => name === parameter);
        for (const spelling of [parameter, ...aliases.map(([alias]) => alias)]) {
          const calls = [...repeated(route, input, spelling, otherExample(schema))];
          for (const options of index === 0 ? calls : variantsAt(index, calls))
            assertNames(await sendCall(app.http, options), route, parameter);
          // One parameter of each kind, because accepted calls take long, and every alias.
          const isFirst = schemas.size < schemas.add(JSON.stringify(schema)).size;
          if (!isFirst && !isLongRun && spelling === parameter) continue;
          const response = await sendCall(app.http, [...repeated(route, input, spelling, input[parameter])].at(-1)!);
          assert.ok(isAccepted(response, route), `${route.label} ${spelling}: ${response.text}`);
        }
      }
    }
  });

  /** The call with the parameter repeated under `spelling`: in the query, and in the body if there is one. */
  function* repeated(route: Route, input: Record<string, unknown>, spelling: string, value: unknown) {
    const again: [string, string] = [spelling, textOf(value)];
    for (const encoding of encodingsOf(route)) yield call(route, input, encoding, { key: key(route), query: [again] });
    if (route.method === 'GET') return;
    const rest = Object.entries(input).filter(([name]) => !route.inPath.includes(name));
    const form = new URLSearchParams([
      ...rest.map(([name, value]) => [name, textOf(value)] as [string, string]),
      again,
    ]);
    if (encodingsOf(route).includes('form'))
      yield call(route, input, 'form', { key: key(route), body: form.toString() });
    const members = [...rest, [spelling, value] as const].map(
      ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
    );
    yield call(route, input, 'json', { key: key(route), body: `{${members.join(',')}}` });
    const order = [[spelling, value] as const, ...rest].map(
      ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
    );
    yield call(route, input, 'json', { key: key(route), body: `{${order.join(',')}}` });
  }

  test('accepts its optional path parameter in the path, elsewhere, or not at all', async () => {
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
      const inPath = await callRoute(app, route, input, 'query', { key: key(route) });
      const inQuery = await callRoute(app, short, input, 'query', { key: key(route) });
      assert.deepEqual([inPath.status, inPath.text], [inQuery.status, inQuery.text], route.label);
      const optional = Object.values(route.endpoint.params).every((schema) => Type.IsOptional(schema));
      const nowhere = await callRoute(app, short, {}, 'query', { key: key(route) });
      assert.equal(isAccepted(nowhere, route), optional, `${short.label}: ${nowhere.text}`);
    }
  });
});
