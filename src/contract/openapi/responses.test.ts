import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apis } from '../contract.ts';
import type { Endpoint } from '../endpoint.ts';
import { errorsOf } from './responses.ts';

test('a call that a suspended service refuses documents that the service may be being terminated', () => {
  const endpoints = Object.values(apis).flatMap((api) => Object.entries<Endpoint>(api));
  const missing = endpoints
    .map(([name, endpoint]) => ({ name, errors: errorsOf(endpoint) }))
    .filter(({ errors }) => errors.includes('service_suspended') && !errors.includes('state_conflict'));
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  );
});
