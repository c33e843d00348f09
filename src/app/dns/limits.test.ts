// The limits of keys, compared with a reference that tries every way to match a pattern.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { Check } from 'typebox/schema';
import { acmeRule, DnsLimits, type DnsRule } from '#contract/shapes/dns-limits.ts';
import { ApiError } from '#lib/api-error.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { isZoneVisible, readDnsLimits, requireContained, visibleSets } from './limits.ts';

const zone = 'example.com';

function isAllowed(rules: readonly DnsRule[], name: string, type: number = rrTypes.TXT): boolean {
  return visibleSets(readDnsLimits(rules), zone)({ name, type });
}

function referenceMatch(pattern: readonly string[], labels: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return labels.length === 0;
  if (first === '**') return labels.some((_, at) => referenceMatch(rest, labels.slice(at))) || referenceMatch(rest, []);
  return labels.length > 0 && (first === '*' || first === labels[0]) && referenceMatch(rest, labels.slice(1));
}

const labels = fc.array(fc.constantFrom('a', 'b', '_x'), { maxLength: 5 });
const pattern = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', '_x', '*'), { maxLength: 3 }),
    fc.constantFrom([], ['**']),
    fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 3 }),
  )
  .map((parts) => parts.flat());
const textOf = (parts: readonly string[]): string => (parts.length === 0 ? '@' : parts.join('.'));

/** All names of up to five labels. `c` occurs in no pattern, so it represents every other label. */
const allNames: readonly (readonly string[])[] = (() => {
  let longest: string[][] = [[]];
  const names = [...longest];
  for (let length = 1; length <= 5; length++) {
    longest = longest.flatMap((name) => ['a', 'b', '_x', 'c'].map((label) => [...name, label]));
    names.push(...longest);
  }
  return names;
})();

function isContained(outer: DnsRule, inner: DnsRule): boolean {
  try {
    requireContained(readDnsLimits([outer]), readDnsLimits([inner]));
    return true;
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'scope_missing');
    return false;
  }
}

describe('the limits of a key', () => {
  test('match names as the reference does', () => {
    fc.assert(
      fc.property(pattern, labels, (parts, name) => {
        const expected = referenceMatch(parts, name);
        assert.equal(isAllowed([{ names: [textOf(parts)] }], [...name, zone].join('.')), expected);
      }),
      { numRuns: 2000 },
    );
  });

  test('contain others exactly if these match nothing else', () => {
    fc.assert(
      fc.property(pattern, pattern, (outer, inner) => {
        // A name of five labels may be too short to tell two long patterns apart.
        fc.pre(inner.length + outer.length <= 5);
        const expected = allNames.every((name) => !referenceMatch(inner, name) || referenceMatch(outer, name));
        assert.equal(isContained({ names: [textOf(outer)] }, { names: [textOf(inner)] }), expected);
      }),
      { numRuns: 300 },
    );
  });

  test('of an ACME client allow its TXT records in its zones, and nothing else', () => {
    const rules = [acmeRule([zone])];
    for (const name of ['_acme-challenge', '_acme-challenge.www', '_acme-challenge.a.b', '_ujm._acme-challenge.www'])
      assert.ok(isAllowed(rules, `${name}.${zone}`), name);
    for (const name of ['_validation-persist', 'www', '*', '_acme-challenge-x', 'a.b._acme-challenge', 'www._acme'])
      assert.ok(!isAllowed(rules, `${name}.${zone}`), name);
    assert.ok(!isAllowed(rules, zone) && !isAllowed(rules, `_acme-challenge.${zone}`, rrTypes.CNAME));
    assert.ok(!isAllowed(rules, '_acme-challenge.example.org') && !isAllowed(rules, '_acme-challenge.xexample.com'));
    const limits = readDnsLimits(rules);
    assert.deepEqual([isZoneVisible(limits, zone), isZoneVisible(limits, `www.${zone}`)], [true, false]);
    assert.ok(!visibleSets(limits, 'example.org')({ name: '_acme-challenge.example.org', type: rrTypes.TXT }));
  });

  test('contain only rules with a subset of the zones and types', () => {
    const outer: DnsRule = { zones: ['a.test', 'b.test'], types: ['TXT', 'A'] };
    assert.ok(isContained(outer, { zones: ['B.test.'], types: ['TXT'], names: ['www'] }));
    const wider: DnsRule[] = [
      { zones: ['a.test'] },
      { types: ['TXT'] },
      { ...outer, types: ['MX'] },
      { names: ['**'] },
    ];
    for (const inner of wider) assert.ok(!isContained(outer, inner), JSON.stringify(inner));
    assert.ok(!isContained(outer, { ...outer, zones: ['a.test', 'c.test'] }));
    assert.throws(() => requireContained(readDnsLimits([outer]), undefined), { code: 'scope_missing' });
    requireContained(undefined, undefined);
  });

  test('are compared in lower case', () => {
    assert.deepEqual(readDnsLimits([{ zones: ['A.Test.'], names: ['WWW'] }]), [{ zones: ['a.test'], names: ['www'] }]);
    assert.equal(readDnsLimits([]), undefined);
  });

  test('are written in a small language, and a rule that says nothing is rejected', () => {
    const fits = (rule: object): boolean => Check(DnsLimits, [rule]);
    for (const name of ['@', '*', '**', 'a.**.b', '**.a', '*.*', '_acme-challenge.**'])
      assert.ok(fits({ names: [name] }), name);
    for (const name of ['', '**.**', 'a..b', 'a.', '.a', 'a*', '***', 'a b', '(a+)+', 'a.**.b.**'])
      assert.ok(!fits({ names: [name] }), name);
    for (const rule of [{}, { names: [] }, { zones: [] }, { types: ['TXTT'] }, { names: ['a'], deny: ['b'] }])
      assert.ok(!fits(rule), JSON.stringify(rule));
  });
});
