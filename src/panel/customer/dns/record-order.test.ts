import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterRecords, deletionBlockedReason, sortRecords, countTypes } from './record-order.ts';

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
const namesAndTypes = (list: typeof records | ReturnType<typeof sortRecords>): string[] =>
  list.map(({ name, type }) => `${name} ${type}`);

test('sorted by name, the zone apex with its SOA comes first, and host2 precedes host10', () => {
  assert.deepEqual(namesAndTypes(sortRecords(zone, records, { by: 'name', direction: 'ascending' })), [
    'example.net SOA',
    'example.net NS',
    'example.net MX',
    'db2.example.net A',
    'db10.example.net A',
  ]);
});

test('TTLs are sorted as numbers, in both directions', () => {
  const ttls = (direction: 'ascending' | 'descending'): string[] =>
    sortRecords(zone, records, { by: 'ttl', direction }).map(({ ttl }) => ttl);
  assert.deepEqual(ttls('ascending'), ['60', '300', '3600', '3600', '3600']);
  assert.deepEqual(ttls('descending'), ['3600', '3600', '3600', '300', '60']);
});

test('a record matches if every word occurs in any column, and the type matches', () => {
  assert.deepEqual(namesAndTypes(filterRecords(records, { text: 'DB 192.0.2.2', type: '' })), ['db2.example.net A']);
  assert.deepEqual(namesAndTypes(filterRecords(records, { text: 'ns1', type: 'NS' })), ['example.net NS']);
  assert.equal(filterRecords(records, { text: '  ', type: '' }), records);
});

test('record types are counted', () => {
  assert.deepEqual(countTypes(records), [
    ['A', 2],
    ['MX', 1],
    ['NS', 1],
    ['SOA', 1],
  ]);
});

test('the SOA and the last name server cannot be deleted', () => {
  const reasons = records.map((record) => deletionBlockedReason(zone, records, [record]));
  assert.deepEqual(reasons, [
    undefined,
    undefined,
    undefined,
    'A zone needs at least one name server.',
    'A zone needs its SOA record.',
  ]);
  const second = { ...records[3]!, id: '9', content: 'ns2.example.org' };
  assert.equal(deletionBlockedReason(zone, [...records, second], [records[3]!]), undefined);
  assert.equal(deletionBlockedReason(zone, [...records, second], [second, records[0]!]), undefined);
  assert.equal(
    deletionBlockedReason(zone, [...records, second], [records[3]!, second]),
    'A zone needs at least one name server.',
  );
});
