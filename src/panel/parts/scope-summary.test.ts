import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeGroups, scopeNames, scopes } from '#contract/scopes.ts';
import { scopeDetails, scopeSummary } from './scope-summary.ts';

test('all scopes are full access, whether granted as a group or one by one', () => {
  assert.equal(scopeSummary(['all']), 'Full access');
  assert.equal(scopeSummary(scopeNames), 'Full access');
});

test('all read scopes are read-only access, unlike as many other scopes', () => {
  assert.equal(scopeSummary(['read-only']), 'Read-only');
  const count = scopeGroups['read-only'].length;
  const others = [...scopeNames].reverse().slice(0, count);
  assert.equal(scopeSummary(others), `${count} permissions`);
});

test('a single scope is described, and a group that contains a listed scope counts it once', () => {
  assert.equal(scopeSummary(['dns:write']), scopes['dns:write']);
  assert.equal(scopeSummary(['read-only', 'dns:read']), 'Read-only');
});

test('the details describe every granted scope', () => {
  assert.equal(scopeDetails(['dns:write', 'dns:read']), `${scopes['dns:write']}; ${scopes['dns:read']}`);
});
