// The responses of an operation in an OpenAPI document: the envelope around its result, and the error codes of every
// status.
import { type Endpoint, effectOf } from '../endpoint.ts';
import { type ErrorCode, errorKinds } from '../errors.ts';
import { type Json, type Components, reference } from './schema.ts';
import type { ApiName } from '../contract.ts';
import { isPermission } from '../roles.ts';
import { worksWhileSuspended } from '../scopes.ts';

const codes = Object.keys(errorKinds) as ErrorCode[];
const text = { type: 'string' };

export const headers: Json = {
  'X-Request-Id': { description: 'Identifies this request in the provider’s log', schema: text },
  RateLimit: { description: 'Remaining rate limit: "key";r=<requests>;t=<seconds>', schema: text },
  'RateLimit-Policy': { description: 'Rate limit: "key";q=<requests>;w=<seconds>', schema: text },
  'Retry-After': { description: 'Seconds to wait before trying again', schema: { type: 'integer', minimum: 0 } },
};
const everyResponse = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];
const withRetryAfter = new Set([429, 503]);

function headersOf(status: number): Json {
  const names = withRetryAfter.has(status) ? [...everyResponse, 'Retry-After'] : everyResponse;
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]));
}

const fields = { type: 'object', additionalProperties: text, description: 'Reasons by parameter name' };
const code = { type: 'string', enum: codes };

/** Schemas of errors, in the envelope and as RFC 9457 for callers that accept it. */
export function failureSchemas(api: ApiName): Json {
  const errorObject = {
    type: 'object',
    required: ['code', 'message'],
    properties: { code, message: text, fields },
  };
  return {
    Failure: {
      type: 'object',
      required: ['success', 'results', 'result'],
      properties: {
        success: { type: 'boolean', const: false },
        results: { type: 'integer', const: 0 },
        result: api !== 'legacy' ? errorObject : { type: 'string', description: 'What went wrong' },
      },
    },
    Problem: {
      type: 'object',
      description: 'RFC 9457, for a caller that sends Accept: application/problem+json',
      required: ['type', 'title', 'status', 'code'],
      properties: { type: text, title: text, status: { type: 'integer' }, detail: text, code, fields },
    },
  };
}

function touchesServices({ access }: Endpoint): boolean {
  return access !== 'public' && access !== 'any' && !isPermission(access) && !worksWhileSuspended(access);
}

/** Parameters that name a service. A server's name stops doing so when its service ends. */
const serviceParameters = new Set(['service', 'vmid']);

/** Returns every error code of this operation; 405 belongs to a path rather than an operation and is omitted. */
export function errorsOf(declaration: Endpoint): ErrorCode[] {
  const possible = new Set<ErrorCode>(declaration.errors ?? []);
  const add = (...more: ErrorCode[]): void => more.forEach((errorCode) => possible.add(errorCode));
  add('malformed_request', 'invalid_parameter', 'unauthenticated', 'rate_limited', 'internal_error', 'overloaded');
  if (isPermission(declaration.access)) add('scope_missing', 'role_missing', 'address_not_allowed');
  else if (declaration.access !== 'public')
    add('scope_missing', 'permission_missing', 'address_not_allowed', 'account_closed');
  const names = Object.keys(declaration.params);
  if (names.length > 0) add('not_found');
  if (declaration.method !== 'GET') add('body_too_large', 'unsupported_media_type');
  const effect = effectOf(declaration);
  if (effect !== 'none') add('idempotency_in_progress', 'idempotency_mismatch');
  if (effect !== 'none' && touchesServices(declaration))
    add('account_suspended', 'service_suspended', 'state_conflict', 'device_held');
  if (!isPermission(declaration.access) && names.some((name) => serviceParameters.has(name))) add('service_terminated');
  if (effect === 'equipment') add('idempotency_outcome_unknown');
  return codes.filter((errorCode) => possible.has(errorCode));
}

function failure(status: number, possible: readonly ErrorCode[]): Json {
  return {
    description: possible.map((errorCode) => `\`${errorCode}\`: ${errorKinds[errorCode].message}`).join('\n\n'),
    headers: headersOf(status),
    content: {
      'application/json': { schema: reference('schemas', 'Failure') },
      'application/problem+json': { schema: reference('schemas', 'Problem') },
    },
  };
}

const resultsSchemas = {
  number: {
    type: 'integer',
    minimum: 0,
    description: 'Number of members in the result; 1 for a string, 0 for an empty one',
  },
  'zero-string': { type: 'string', const: '0' },
  'count-string': { type: 'string', pattern: '^[0-9]+$', description: 'Members of the result' },
};

export function responsesOf(declaration: Endpoint, components: Components): Json {
  const success = {
    description: declaration.summary,
    headers: headersOf(200),
    content: declaration.file === undefined ? envelopeOf(declaration, components) : { [declaration.file]: {} },
  };
  const byStatus = Map.groupBy(errorsOf(declaration), (errorCode) => errorKinds[errorCode].status);
  const failures = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries([
    ['200', success],
    ...failures.map(([status, possible]) => [
      String(status),
      components.add('responses', `${status}-${possible.join('-')}`, failure(status, possible)),
    ]),
  ]);
}

function envelopeOf(declaration: Endpoint, components: Components): Json {
  return {
    'application/json': {
      schema: {
        type: 'object',
        required: ['success', 'results', 'result'],
        properties: {
          success: { type: 'boolean', const: true },
          results: resultsSchemas[declaration.resultsAs ?? 'number'],
          result: components.schema(declaration.result),
        },
      },
    },
    ...(declaration.streams === true ? { 'text/event-stream': { schema: text } } : {}),
  };
}
