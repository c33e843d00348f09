// Checks the declarations against the list of endpoints that callers already use. A copy of the list is checked in, which
// must equal that of the specification next to the project.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { apis, isAddition, type ServedApi, servedApis } from '#contract/contract.ts';
import { type Endpoint, type Api, effectOf, pathNames } from '#contract/endpoint.ts';
import { errorKinds } from '#contract/errors.ts';
import { needsSpecification, readSpecification } from '#test/support/specification.ts';

const copy = new URL('../../golden/spec-endpoints.tsv', import.meta.url);

interface ListedParameter {
  readonly name: string;
  readonly required: boolean;
  readonly integer: boolean;
  readonly values: readonly string[] | undefined;
}
interface SpecifiedOperation {
  readonly key: string;
  readonly parameters: ReadonlyMap<string, ListedParameter>;
}

function readParameter(word: string): ListedParameter {
  const parts = /^(\w+)(\*?)(?::(int))?(?:=(\S+))?$/.exec(word);
  assert.ok(parts, `cannot read ${word}`);
  const [, name, star, kind, values] = parts;
  return { name: name!, required: star === '*', integer: kind === 'int', values: values?.split('|') };
}
function readList(text: string): SpecifiedOperation[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [api, method, path, words = ''] = line.split('\t');
    const parameters = words.split(' ').filter(Boolean).map(readParameter);
    return {
      key: `${api} ${method} ${path}`,
      parameters: new Map(parameters.map((parameter) => [parameter.name, parameter])),
    };
  });
}

const specified = readList(readFileSync(copy, 'utf8'));
const declared = Object.entries(servedApis).flatMap(([api, declarations]) =>
  Object.entries(declarations as Api).map(
    ([name, declaration]) =>
      [`${api} ${declaration.method} ${declaration.path}`, declaration, `${api} ${name}`] as const,
  ),
);
const publishedKeys = Object.entries(servedApis).flatMap(([api, declarations]) =>
  Object.values(declarations as Api)
    .filter((declaration) => !isAddition(api as ServedApi, declaration))
    .map(({ method, path }) => `${api} ${method} ${path}`),
);
const declaredByKey = new Map<string, Endpoint>(declared.map(([key, declaration]) => [key, declaration]));
const every = declared.map(([, declaration, name]) => [name, declaration] as const);

interface Kind extends TSchema {
  type?: string;
  enum?: string[];
  pattern?: string;
  items?: Kind;
  properties?: Record<string, Kind>;
  anyOf?: Kind[];
  patternProperties?: Record<string, Kind>;
  'x-reason'?: string;
  'x-addition'?: boolean;
  'x-added-values'?: string[];
}
/** Values that the documents' text lists although the list of endpoints does not. */
const valuesFromText: Readonly<Record<string, readonly string[]>> = {
  'legacy POST /network/request size': ['/30', '/29', '/28', '/27', '/26', '/25', '/24', '/64'],
};

describe('the declarations and the list of endpoints', () => {
  it('count 41 and 37', () => {
    assert.equal(specified.filter(({ key }) => key.startsWith('v2 ')).length, 41);
    assert.equal(specified.filter(({ key }) => key.startsWith('legacy ')).length, 37);
  });

  it('have the same methods and paths, except for declared additions', () => {
    assert.deepEqual(publishedKeys.toSorted(), specified.map(({ key }) => key).sort());
  });

  it('have no two endpoints with one method and path', () => {
    assert.equal(declaredByKey.size, declared.length);
  });

  for (const { key, parameters } of specified) {
    it(`agree on the parameters of ${key}`, () => {
      const { params, path, aliases = {} } = declaredByKey.get(key)!;
      // The list sometimes omits a path parameter, which the path itself names.
      const inPath = pathNames(path).map((name) => aliases[name] ?? name);
      const published = Object.keys(params).filter((name) => (params[name] as Kind)['x-addition'] !== true);
      assert.deepEqual(published.toSorted(), [...new Set([...parameters.keys(), ...inPath])].sort());
      for (const { name, required, integer, values } of parameters.values()) {
        const schema = params[name] as Kind;
        assert.equal(!Type.IsOptional(schema), required, `${name}: required`);
        assert.equal(schema.type === 'integer', integer, `${name}: digits`);
        const documented = schema.enum?.filter((value) => schema['x-added-values']?.includes(value) !== true);
        assert.deepEqual(documented, values ?? valuesFromText[`${key} ${name}`], `${name}: values`);
      }
    });
  }

  it('agree with the specification', needsSpecification(), () => {
    assert.equal(readFileSync(copy, 'utf8'), readSpecification('endpoints.tsv'));
  });
});

describe('the declarations', () => {
  it('have a reason for every parameter that a caller can get wrong', () => {
    for (const [name, { params }] of every)
      for (const [parameter, schema] of Object.entries(params))
        assert.match((schema as Kind)['x-reason'] ?? '', /^must /, `${name} ${parameter}`);
  });

  it('mark only optional parameters as additions, because existing callers do not send them', () => {
    for (const [name, { params, addition }] of every)
      for (const [parameter, schema] of Object.entries(params))
        if ((schema as Kind)['x-addition'] === true)
          assert.ok(Type.IsOptional(schema) && addition !== true, `${name} ${parameter}`);
  });

  it('have aliases only for their own parameters, and none that hides one', () => {
    for (const [name, { params, aliases = {} }] of every)
      for (const [alias, parameter] of Object.entries(aliases))
        assert.ok(parameter in params && !(alias in params), `${name} ${alias}`);
  });

  it('need a read scope for reads, and more for changes', () => {
    const mayRead = /:(?:read|keys|console)$/;
    for (const [name, declaration] of every) {
      if (declaration.access === 'public' || declaration.access === 'any') continue;
      // It leaves behind what the planned call leaves, which was approved by someone with the scope for it.
      if (declaration === apis.v2.planRun) continue;
      // An archive has everything about a customer, which not everyone may read who may read lists.
      if (declaration === apis.operator.accountExportFile) continue;
      // A file for the bank has the IBANs of customers.
      if (declaration === apis.operator.sepaFile) continue;
      if (effectOf(declaration) === 'none') assert.match(declaration.access, mayRead, name);
      else assert.doesNotMatch(declaration.access, /:read$/, name);
    }
  });

  it('read or change depending on one of their parameters, with values that it accepts, for a scope that reads', () => {
    const can = every.filter(([, { reading }]) => reading !== undefined);
    assert.ok(can.length >= 5);
    for (const [name, { reading, params, effect }] of can) {
      const { parameter, values, access } = reading!;
      const schema = params[parameter]!;
      assert.match(access, /:read$/, name);
      assert.notEqual(effect, 'none', name);
      for (const value of values)
        assert.ok(value === undefined ? Type.IsOptional(schema) : (schema as Kind).enum?.includes(value), name);
    }
  });

  it('act on a GET in the one place where the public documents do', () => {
    const acting = every.filter(([, declaration]) => declaration.method === 'GET' && effectOf(declaration) !== 'none');
    assert.deepEqual(
      acting.map(([name]) => name),
      ['v2 deviceConsoleOpen'],
    );
  });

  it('return `results` as a string in the three places where callers expect it', () => {
    const withStringResults = every.filter(([, { resultsAs }]) => resultsAs !== undefined);
    assert.deepEqual(
      withStringResults.map(([name, { resultsAs }]) => [name, resultsAs]),
      [
        ['v2 eventList', 'count-string'],
        ['v2 portEnable', 'zero-string'],
        ['v2 portDisable', 'zero-string'],
      ],
    );
  });

  it('declare every error code of the equipment behind them', () => {
    const declaredCodes = new Set(every.flatMap(([, { errors = [] }]) => errors));
    // Only actions end with these: no call waits for the backup storage.
    for (const code of ['backup_error', 'backup_unreachable'] as const) declaredCodes.add(code);
    for (const [code, { status }] of Object.entries(errorKinds))
      if (status === 502 || status === 504) assert.ok(declaredCodes.has(code as keyof typeof errorKinds), code);
  });
});
