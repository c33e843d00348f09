import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { unusedAliases } from './names.ts';

const twoDigits = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, '0'));
/** Often near the start, where generated aliases are. */
const node = fc.oneof(
  fc.constant(''),
  twoDigits.map((digits) => `-${digits}`),
);
const legacyName = fc
  .tuple(fc.constantFrom('00', '01', '98'), fc.constantFrom('00', '99'), twoDigits, node)
  .map(([dataCentre, rack, server, suffix]) => `dc${dataCentre}r${rack}ds${server}${suffix}`);

test('an alias has the form of the legacy API, follows all earlier ones, and is nobody’s name', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(legacyName, { maxLength: 300 }),
      fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 1, maxLength: 4 }),
      (names, counts) => {
        const taken = new Set(names);
        const aliases: string[] = [];
        for (const count of counts) {
          const unused = unusedAliases(aliases.at(-1), taken);
          aliases.push(...Array.from({ length: count }, () => unused.next().value));
        }
        for (const alias of aliases) {
          assert.match(alias, /^[dD][cC][0-9]{2}[rR][0-9]{2}[dD][sS][0-9]{2}[-][0-9]{2}$/);
          assert.ok(!taken.has(alias), alias);
        }
        assert.deepEqual(aliases, [...new Set(aliases)].toSorted());
        assert.equal(
          aliases.length,
          counts.reduce((sum, count) => sum + count, 0),
        );
      },
    ),
  );
});

test('aliases continue where eight digits carry over', () => {
  assert.deepEqual(
    [undefined, 'dc00r00ds00-99', 'dc00r99ds99-99'].map((last) => unusedAliases(last, new Set()).next().value),
    ['dc00r00ds00-01', 'dc00r00ds01-00', 'dc01r00ds00-00'],
  );
});
