import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import type { AccountId } from '#store/account-id.ts';
import type { DnsRecord } from '#store/dns/records.ts';
import { dataOfWire, type RecordData } from './content.ts';
import { editsBetween } from './replace.ts';

const recordData = fc
  .record({ host: fc.nat(2), type: fc.constantFrom(1, 16), ttl: fc.constantFrom(60, 300), byte: fc.nat(3) })
  .map(({ host, type, ttl, byte }) => {
    const rdata = type === 1 ? Buffer.from([192, 0, 2, byte]) : Buffer.from([1, 0x61 + byte]);
    return dataOfWire(`h${host}.example.com`, type, ttl, rdata);
  });
const zone = fc.uniqueArray(recordData, { selector: contentOf, maxLength: 20 });

test('edits lead from one content of a zone to another, and keep as many records as they can', () =>
  fc.assert(
    fc.asyncProperty(zone, zone, async (before, target) => {
      const current = before.map(storedRecord);
      const edits = await editsBetween(current, target);
      const byId = new Map<number, RecordData>(current.map((record) => [record.id, record]));
      let lastId = current.length;
      for (const edit of edits) {
        if (edit.after === undefined) assert.ok(byId.delete(edit.before!.id));
        else byId.set(edit.before?.id ?? ++lastId, edit.after);
      }
      const lines = (records: Iterable<RecordData>) =>
        [...records].map((record) => `${contentOf(record)} ${record.ttl}`).toSorted();
      assert.deepEqual(lines(byId.values()), lines(target));
      for (const [set, stored] of Map.groupBy(current, setOf)) {
        const wanted = target.filter((record) => setOf(record) === set).length;
        const kept = stored.filter(({ id }) => byId.has(id)).length;
        assert.equal(kept, Math.min(stored.length, wanted));
      }
    }),
  ));

function storedRecord(data: RecordData, index: number): DnsRecord {
  return { ...data, id: index + 1, zone_id: 1, account_id: 1 as AccountId, path: data.name };
}

function setOf({ name, type }: RecordData): string {
  return `${name} ${type}`;
}

function contentOf(record: RecordData): string {
  return `${setOf(record)} ${record.content}`;
}
