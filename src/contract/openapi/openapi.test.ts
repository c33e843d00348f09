import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Compile } from 'typebox/schema';
import { type ApiName, apis } from '../contract.ts';
import { type Endpoint, effectOf } from '../endpoint.ts';
import { openapiDocument } from './openapi.ts';
import { pathForms } from '../paths.ts';

interface Operation {
  operationId: string;
  parameters?: { name?: string; in?: string; $ref?: string }[];
  requestBody?: object;
  security?: unknown[];
  'x-scope': string;
  responses: Record<string, object>;
}
interface Document extends Record<string, unknown> {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

/** Parsed from text, as a reader gets it. */
function parseDocument(api: ApiName): Document {
  return JSON.parse(JSON.stringify(openapiDocument(api))) as Document;
}
function operations(document: Document): [string, string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );
}
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : references(member),
  );
}

for (const api of Object.keys(apis) as ApiName[]) {
  describe(`the OpenAPI document of ${api}`, () => {
    const document = parseDocument(api);

    it('follows the OpenAPI 3.1 schema', async () => {
      const outcome = await new Validator().validate(structuredClone(document));
      assert.deepEqual(outcome, { valid: true });
    });

    it('is deterministic', () => {
      assert.equal(JSON.stringify(openapiDocument(api)), JSON.stringify(openapiDocument(api)));
    });

    it('has no dangling references', () => {
      for (const reference of references(document)) {
        const steps = reference.replace('#/', '').split('/');
        const target = steps.reduce<unknown>(
          (value, step) => (value as Record<string, unknown> | undefined)?.[step],
          document,
        );
        assert.ok(target, reference);
      }
    });

    it('has schemas that compile', async () => {
      const validator = new Validator();
      await validator.validate(structuredClone(document));
      const resolved = validator.resolveRefs() as Document;
      for (const [name, schema] of Object.entries(resolved.components.schemas))
        assert.doesNotThrow(() => Compile(schema), name);
    });

    it('names every operation once', () => {
      const ids = operations(document).map(([, , { operationId }]) => operationId);
      assert.equal(new Set(ids).size, ids.length);
      for (const name of Object.keys(apis[api])) assert.ok(ids.includes(name), name);
    });

    it('has an operation for every path of every endpoint, and no other', () => {
      const declared = Object.values(apis[api]).flatMap((declaration) =>
        pathForms(declaration).map(({ path }) => `${declaration.method.toLowerCase()} ${path}`),
      );
      const documented = operations(document).map(([path, method]) => `${method} ${path}`);
      assert.deepEqual(documented.sort(), declared.sort());
    });

    it('declares every path parameter', () => {
      for (const [path, method, operation] of operations(document)) {
        const inPath = (operation.parameters ?? [])
          .filter((parameter) => parameter.in === 'path')
          .map(({ name }) => `{${name}}`);
        assert.deepEqual(inPath, path.match(/\{\w+\}/g) ?? [], `${method} ${path}`);
      }
    });

    it('has no body with GET, and an Idempotency-Key with every change', () => {
      for (const [path, method, operation] of operations(document)) {
        if (method === 'get') assert.equal(operation.requestBody, undefined, path);
        const declaration = Object.entries(apis[api]).find(([name]) => name === operation.operationId)?.[1];
        if (declaration === undefined) continue;
        const takesKey = (operation.parameters ?? []).some(
          ({ $ref }) => $ref === '#/components/parameters/IdempotencyKey',
        );
        assert.equal(takesKey, effectOf(declaration) !== 'none', `${method} ${path}`);
      }
    });

    it('describes every tag', () => {
      for (const { name, description } of document.tags) assert.ok(description, name);
    });
  });
}

it('an endpoint has two paths if the last parameter is optional or has an alias, and one if it is required', () => {
  const pathsOf = (declaration: Endpoint): string[] => pathForms(declaration).map(({ path }) => path);
  assert.deepEqual(pathsOf(apis.v2.reverseList), ['/v2/dns/reverse', '/v2/dns/reverse/{service}']);
  assert.deepEqual(pathsOf(apis.legacy.vpsGet), ['/vps/get', '/vps/get/{id}']);
  assert.deepEqual(pathsOf(apis.v2.devicePowerGet), ['/v2/device/power/{service}']);
});
