import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { areLimitsWithin, intersectLimits, isServiceVisible, limitIds, type ServiceLimits } from './limits.ts';

const service = fc.integer({ min: 1, max: 6 });
const limits: fc.Arbitrary<ServiceLimits> = fc.option(
  fc.uniqueArray(service).map((ids) => new Set(ids)),
  { nil: undefined },
);

describe('limits to services', () => {
  test('of a key and its person allow what both allow', () => {
    fc.assert(
      fc.property(limits, limits, service, (person, key, id) => {
        const both = isServiceVisible(person, id) && isServiceVisible(key, id);
        assert.equal(isServiceVisible(intersectLimits(person, key), id), both);
      }),
    );
  });

  test('are within others exactly if these allow everything that they allow', () => {
    fc.assert(
      fc.property(limits, limits, (outer, inner) => {
        // A service that is in no list is allowed only without limits.
        const all = [1, 2, 3, 4, 5, 6, 7];
        const expected = all.every((id) => !isServiceVisible(inner, id) || isServiceVisible(outer, id));
        assert.equal(areLimitsWithin(outer, inner), expected);
      }),
    );
  });

  test('name no service that does not exist for the reader', () => {
    fc.assert(
      fc.property(limits, limits, (reader, named) => {
        for (const id of limitIds(reader, named)) assert.ok(isServiceVisible(reader, Number(id)));
      }),
    );
    assert.deepEqual(limitIds(undefined, new Set([2, 1])), ['2', '1']);
  });
});
