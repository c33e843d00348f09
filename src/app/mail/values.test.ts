import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTexts } from './texts.ts';
import { occasionValues, sampleOccasion } from './values.ts';

async function sampleValues(kind: Parameters<typeof sampleOccasion>[0], language: string) {
  const { catalogue } = await loadTexts(language, undefined);
  return occasionValues(sampleOccasion(kind, 0), language, catalogue);
}

describe('the values of a message', () => {
  it('are written as their reader writes months and numbers', async () => {
    const german = await sampleValues('network.bandwidth.reached', 'de');
    assert.deepEqual([german['month'], german['used']], ['November 2026', '81,5 Mbit/s']);
    assert.equal((await sampleValues('network.bandwidth.reached', 'en'))['used'], '81.5 Mbit/s');
  });

  it('have no names of the API', async () => {
    for (const [language, change] of [
      ['en', 'Identity provider set'],
      ['de', 'Identitätsanbieter eingerichtet'],
    ] as const)
      assert.equal((await sampleValues('account.signon.changed', language))['change'], change);
  });
});
