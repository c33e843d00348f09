// The limits of a key as a form edits them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acmeRule } from '#contract/shapes/dns-limits.ts';
import { limitsInput, limitsValue } from './dns-limits.ts';

test('limits survive a form that changes nothing', () => {
  for (const rules of [
    [],
    [acmeRule()],
    [acmeRule(['example.com'])],
    [{ types: ['A' as const], names: ['www'] }],
    [{ zones: ['example.com'] }],
  ])
    assert.deepEqual(limitsInput(limitsValue(rules)), rules);
});

test('several rules, which the form cannot show, are left unchanged', () => {
  const value = limitsValue([acmeRule(), { types: ['A'] }]);
  assert.equal(value.mode, 'several');
  assert.equal(limitsInput(value), undefined);
});

test('a form without a limit removes it', () => {
  assert.deepEqual(limitsInput({ mode: 'all', zones: ['example.com'], names: [], types: [] }), []);
  assert.deepEqual(limitsInput({ mode: 'custom', zones: [], names: [], types: [] }), []);
});
