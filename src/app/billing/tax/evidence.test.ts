// Two pieces of evidence that agree say where a private customer is.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judgeEvidence } from './evidence.ts';

it('evidence is judged by how many pieces name the billing country', () => {
  const judge = (country: string, others: string, kind: 'private' | 'business' = 'private') =>
    judgeEvidence({
      country,
      isPrivate: kind === 'private',
      others: others.split(' ').flatMap((code) => (code === '' ? [] : [{ country: code }])),
    });
  assert.equal(judge('FR', ''), 'missing');
  assert.equal(judge('FR', 'FR'), 'sufficient');
  assert.equal(judge('FR', 'DE'), 'conflict');
  assert.equal(judge('FR', 'DE FR'), 'sufficient', 'two agree, and one does not');
  assert.equal(judge('FR', 'MC'), 'sufficient', 'Monaco is France for VAT');
  assert.equal(judge('FR', 'DE', 'business'), 'unneeded');
  assert.equal(judge('US', 'DE'), 'unneeded');
});
