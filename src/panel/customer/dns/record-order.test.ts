// Choosing and ordering the records of a zone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenRecords, keptBecause, orderedRecords, typesAmong } from './record-order.ts';

const zone = 'example.net';
const records = [
  ['db10.example.net', 'A', '192.0.2.10', '300'],
  ['example.net', 'MX', '10 mail.example.net', '3600'],
  ['db2.example.net', 'A', '192.0.2.2', '60'],
  ['example.net', 'NS', 'ns1.example.org', '3600'],
  ['example.net', 'SOA', 'ns1.example.org hostmaster.example.net 1 2 3 4 5', '3600'],
].map(([name, type, content, ttl], index) => ({
  id: String(index),
  domain_id: '1',
  name: name!,
  type: type!,
  content: content!,
  ttl: ttl!,
}));
const shown = (found: typeof records | ReturnType<typeof orderedRecords>): string[] =>
  found.map(({ name, type }) => `${name} ${type}`);

test('by name, the zone itself comes first with its SOA, and host2 before host10', () => {
  assert.deepEqual(shown(orderedRecords(zone, records, { by: 'name', direction: 'ascending' })), [
    'example.net SOA',
    'example.net NS',
    'example.net MX',
    'db2.example.net A',
    'db10.example.net A',
  ]);
});

test('times to live are ordered as numbers, either way', () => {
  const ttls = (direction: 'ascending' | 'descending'): string[] =>
    orderedRecords(zone, records, { by: 'ttl', direction }).map(({ ttl }) => ttl);
  assert.deepEqual(ttls('ascending'), ['60', '300', '3600', '3600', '3600']);
  assert.deepEqual(ttls('descending'), ['3600', '3600', '3600', '300', '60']);
});

test('a record is chosen by all the words, in any column, and by its type', () => {
  assert.deepEqual(shown(chosenRecords(records, { text: 'DB 192.0.2.2', type: '' })), ['db2.example.net A']);
  assert.deepEqual(shown(chosenRecords(records, { text: 'ns1', type: 'NS' })), ['example.net NS']);
  assert.equal(chosenRecords(records, { text: '  ', type: '' }), records);
});

test('the types are counted', () => {
  assert.deepEqual(typesAmong(records), [
    ['A', 2],
    ['MX', 1],
    ['NS', 1],
    ['SOA', 1],
  ]);
});

test('the SOA and the last name server stay, and say why', () => {
  const reasons = records.map((record) => keptBecause(zone, records, [record]));
  assert.deepEqual(reasons, [
    undefined,
    undefined,
    undefined,
    'A zone cannot be without a name server.',
    'A zone cannot be without its SOA.',
  ]);
  const second = { ...records[3]!, id: '9', content: 'ns2.example.org' };
  assert.equal(keptBecause(zone, [...records, second], [records[3]!]), undefined);
  assert.equal(keptBecause(zone, [...records, second], [second, records[0]!]), undefined);
  assert.equal(
    keptBecause(zone, [...records, second], [records[3]!, second]),
    'A zone cannot be without a name server.',
  );
});
