// The dates of the legacy interface's end, as a site file may give them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Check } from 'typebox/value';
import type { Site } from '#contract/site.ts';
import { SiteLegacy } from '#contract/site-legacy.ts';
import { legacyFaults } from './legacy-end.ts';

describe('the end of the legacy interface', () => {
  const faults = (legacy: Site['legacy']): unknown[] => [...legacyFaults({ legacy } as Site)];

  test('does not come before its announcement', () => {
    assert.deepEqual(faults({ deprecated: '2027-01-02', sunset: '2027-01-01' }), [
      [['legacy', 'sunset'], 'sunset lies before deprecated'],
    ]);
    assert.deepEqual(faults({ deprecated: '2027-01-01', sunset: '2027-01-01' }), []);
    assert.deepEqual(faults({ deprecated: '2027-01-01' }), []);
    assert.deepEqual(faults(undefined), []);
  });

  test('is told on a page whose address can stand in a header', () => {
    const page = (text: string): boolean => Check(SiteLegacy, { deprecated: '2027-01-01', page: text });
    assert.ok(page('https://example.net/api?from=v1&to=v2'));
    for (const text of [
      '',
      '/docs',
      'https://example.net/a b',
      'https://example.net/>; rel="x"',
      'https://example.net/\r\nX: y',
    ])
      assert.ok(!page(text), JSON.stringify(text));
  });
});
