import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxPerKind, searchCandidates, type Candidate } from './palette-search.ts';

const candidates: readonly Candidate[] = [
  { id: 'page', kind: 'page', label: 'Servers', keywords: ['web'] },
  { id: 'zone', kind: 'zone', label: 'web.net' },
  { id: 'late', kind: 'server', label: 'my-web.example.net' },
  { id: 'first', kind: 'server', label: 'web1.example.net', description: '203.0.113.10' },
  { id: 'action', kind: 'action', label: 'New zone' },
  ...Array.from({ length: 20 }, (_, index): Candidate => ({ id: `i${index}`, kind: 'invoice', label: `LAB-${index}` })),
];
const find = (text: string) => searchCandidates(candidates, text).flatMap(({ found }) => found.map(({ id }) => id));

test('servers come before zones and pages, and those that start with the text before others', () => {
  assert.deepEqual(find('WEB'), ['first', 'late', 'zone', 'page']);
  assert.deepEqual(find('203.0.113 web1'), ['first']);
});

test('an empty search offers actions and pages, and a search a few of each kind', () => {
  assert.deepEqual(find(' '), ['action', 'page']);
  assert.equal(find('lab').length, maxPerKind);
  assert.deepEqual(find('nothing like it'), []);
});
