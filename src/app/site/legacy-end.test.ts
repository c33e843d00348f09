import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Check } from 'typebox/value';
import type { Site } from '#contract/site/site.ts';
import { SiteLegacy } from '#contract/site/legacy.ts';
import { checkLegacyEnd } from './legacy-end.ts';

describe('the end of the legacy API', () => {
  const problems = (legacy: Site['legacy']): unknown[] => [...checkLegacyEnd({ legacy } as Site)];

  test('is not before its announcement', () => {
    assert.deepEqual(problems({ deprecated: '2027-01-02', sunset: '2027-01-01' }), [
      [['legacy', 'sunset'], 'sunset must not be before deprecated'],
    ]);
    assert.deepEqual(problems({ deprecated: '2027-01-01', sunset: '2027-01-01' }), []);
    assert.deepEqual(problems({ deprecated: '2027-01-01' }), []);
    assert.deepEqual(problems(undefined), []);
  });

  test('is announced on a page whose URL is safe in a header', () => {
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
