import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { WireError } from './errors.ts';
import { decodeMessage } from './message.ts';
import { contentToWire } from './rdata.ts';
import { dnsClasses, opcodes, rcodes, rrTypes } from './types.ts';
import {
  applyLines,
  checkPrerequisites,
  readUpdate,
  UpdateError,
  type UpdateRequest,
  type ZoneRecord,
} from './update.ts';
import { Writer } from './writer.ts';

const zone = 'example.test';
const names = [zone, `a.${zone}`, `b.a.${zone}`];
const contents: Record<number, string[]> = {
  [rrTypes.A]: ['192.0.2.1', '192.0.2.2'],
  [rrTypes.TXT]: ['"one"', '"two"'],
  [rrTypes.CNAME]: ['x.test', 'y.test'],
  [rrTypes.NS]: ['ns1.test', 'ns2.test'],
  [rrTypes.SOA]: [3, 5, 7].map((serial) => `ns1.test host.test ${serial} 1 2 3 4`),
};
const types = Object.keys(contents).map(Number);

interface RawRecord {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  readonly rdata: Buffer;
}

/** Encodes without the code under test knowing the classes. */
function encodeUpdate(prerequisites: readonly RawRecord[], lines: readonly RawRecord[], zoneName = zone): Buffer {
  const out = new Writer(512);
  const header = [1, opcodes.UPDATE << 11, 1, prerequisites.length, lines.length, 0];
  for (const value of header) out.u16(value);
  out.name(zoneName);
  out.u16(rrTypes.SOA);
  out.u16(dnsClasses.IN);
  for (const record of [...prerequisites, ...lines]) {
    out.name(record.name);
    out.u16(record.type);
    out.u16(record.class);
    out.u32(record.ttl);
    out.u16(record.rdata.length);
    out.bytes(record.rdata);
  }
  return out.finish();
}

const noRdata = Buffer.alloc(0);
const anyName = fc.constantFrom(...names);
const anyValue = fc
  .constantFrom(...types)
  .chain((type) =>
    fc.constantFrom(...contents[type]!).map((content) => ({ type, rdata: contentToWire(type, content) })),
  );
const anyTtl = fc.constantFrom(0, 60, 300);
const anyType = fc.constantFrom(...types, rrTypes.ANY);

const anyPrerequisite = fc.oneof(
  fc
    .record({ name: anyName, value: anyValue })
    .map(({ name, value }) => ({ name, ...value, class: dnsClasses.IN, ttl: 0 })),
  fc
    .record({ name: anyName, type: anyType, class: fc.constantFrom(dnsClasses.ANY, dnsClasses.NONE) })
    .map((set) => ({ ...set, ttl: 0, rdata: noRdata })),
);
const anyLine = fc.oneof(
  fc
    .record({ name: anyName, value: anyValue, ttl: anyTtl })
    .map(({ name, value, ttl }) => ({ name, ...value, ttl, class: dnsClasses.IN })),
  fc
    .record({ name: anyName, value: anyValue })
    .map(({ name, value }) => ({ name, ...value, ttl: 0, class: dnsClasses.NONE })),
  fc.record({ name: anyName, type: anyType }).map((set) => ({ ...set, ttl: 0, class: dnsClasses.ANY, rdata: noRdata })),
);
/** A consistent zone: an SOA, an NS, and no CNAME next to other records. */
const anyZone = fc
  .array(fc.record({ name: anyName, value: anyValue, ttl: anyTtl }), { maxLength: 10 })
  .map((records) => {
    const soa = {
      name: zone,
      type: rrTypes.SOA,
      ttl: 60,
      rdata: contentToWire(rrTypes.SOA, contents[rrTypes.SOA]![1]!),
    };
    const ns = { name: zone, type: rrTypes.NS, ttl: 60, rdata: contentToWire(rrTypes.NS, 'ns1.test') };
    return records.reduce<ZoneRecord[]>(
      (built, { name, value, ttl }) => (value.type === rrTypes.SOA ? built : naiveAdd(built, { name, ...value, ttl })),
      [soa, ns],
    );
  });

// The naive model follows the pseudocode of RFC 2136, record by record.

function naiveAdd(records: ZoneRecord[], added: ZoneRecord): ZoneRecord[] {
  const here = records.filter(({ name }) => name === added.name);
  const serial = ({ rdata }: ZoneRecord) => rdata.readUInt32BE(rdata.length - 20);
  if (added.type === rrTypes.CNAME && here.some(({ type }) => type !== rrTypes.CNAME)) return records;
  if (added.type !== rrTypes.CNAME && here.some(({ type }) => type === rrTypes.CNAME)) return records;
  if (added.type === rrTypes.SOA) {
    const soa = here.find(({ type }) => type === rrTypes.SOA);
    if (soa === undefined || serial(added) <= serial(soa)) return records;
    return records.map((record) => (record === soa ? added : record));
  }
  if (added.type === rrTypes.CNAME) return [...records.filter(({ name }) => name !== added.name), added];
  const others = records.filter(
    ({ name, type, rdata }) => name !== added.name || type !== added.type || !rdata.equals(added.rdata),
  );
  return [
    ...others.map((record) =>
      record.name === added.name && record.type === added.type ? { ...record, ttl: added.ttl } : record,
    ),
    added,
  ];
}

function naiveApply(records: ZoneRecord[], line: RawRecord): ZoneRecord[] {
  const { name, type, ttl, rdata } = line;
  if (line.class === dnsClasses.IN) return naiveAdd(records, { name, type, ttl, rdata });
  const isProtected = (record: ZoneRecord) =>
    record.name === zone && (record.type === rrTypes.SOA || record.type === rrTypes.NS);
  if (line.class === dnsClasses.ANY)
    return records.filter(
      (record) => record.name !== name || isProtected(record) || (type !== rrTypes.ANY && record.type !== type),
    );
  const nameServers = records.filter((record) => record.name === zone && record.type === rrTypes.NS);
  if (type === rrTypes.SOA || (type === rrTypes.NS && name === zone && nameServers.length === 1)) return records;
  return records.filter((record) => record.name !== name || record.type !== type || !record.rdata.equals(rdata));
}

function naivePrerequisites(records: ZoneRecord[], prerequisites: readonly RawRecord[]): number {
  for (const { name, type, class: ofClass } of prerequisites) {
    if (ofClass === dnsClasses.IN) continue;
    const present = records.some((record) => record.name === name && (type === rrTypes.ANY || record.type === type));
    if (ofClass === dnsClasses.ANY && !present) return type === rrTypes.ANY ? rcodes.NXDOMAIN : rcodes.NXRRSET;
    if (ofClass === dnsClasses.NONE && present) return type === rrTypes.ANY ? rcodes.YXDOMAIN : rcodes.YXRRSET;
  }
  const values = prerequisites.filter(({ class: ofClass }) => ofClass === dnsClasses.IN);
  for (const { name, type } of values) {
    const textsOf = (list: readonly { name: string; type: number; rdata: Buffer }[]) =>
      [
        ...new Set(list.filter((r) => r.name === name && r.type === type).map(({ rdata }) => rdata.toString('hex'))),
      ].sort();
    if (textsOf(values).join() !== textsOf(records).join()) return rcodes.NXRRSET;
  }
  return rcodes.NOERROR;
}

const texts = (records: readonly ZoneRecord[]) =>
  records.map(({ name, type, ttl, rdata }) => `${name} ${type} ${ttl} ${rdata.toString('hex')}`).sort();

function rcodeOf(act: () => unknown): number {
  try {
    act();
    return rcodes.NOERROR;
  } catch (error) {
    if (error instanceof UpdateError) return error.rcode;
    throw error;
  }
}

const read = (prerequisites: readonly RawRecord[], lines: readonly RawRecord[]): UpdateRequest =>
  readUpdate(decodeMessage(encodeUpdate(prerequisites, lines)));

describe('an update', () => {
  it('leaves the records that RFC 2136 says, whatever its lines', () => {
    fc.assert(
      fc.property(anyZone, fc.array(anyLine, { maxLength: 12 }), (records, lines) => {
        const expected = lines.reduce(naiveApply, records);
        assert.deepEqual(texts(applyLines(zone, records, read([], lines).lines)), texts(expected));
      }),
    );
  });

  it('is refused with the code of its first prerequisite that does not hold', () => {
    fc.assert(
      fc.property(anyZone, fc.array(anyPrerequisite, { maxLength: 5 }), (records, prerequisites) => {
        const request = read(prerequisites, []);
        assert.equal(
          rcodeOf(() => checkPrerequisites(request.prerequisites, records)),
          naivePrerequisites(records, prerequisites),
        );
      }),
    );
  });

  it('that is malformed gets FORMERR, and NOTZONE for a name outside the zone', () => {
    const line: RawRecord = { name: zone, type: rrTypes.A, class: 1, ttl: 60, rdata: Buffer.of(192, 0, 2, 1) };
    const none = { ...line, class: dnsClasses.NONE };
    const any = { ...line, class: dnsClasses.ANY, ttl: 0, rdata: noRdata };
    const lines: [RawRecord, number][] = [
      [{ ...line, ttl: 2 ** 31 - 1 }, rcodes.NOERROR],
      [{ ...line, ttl: 2 ** 31 }, rcodes.FORMERR],
      [{ ...line, rdata: Buffer.of(1, 2, 3) }, rcodes.FORMERR],
      [{ ...line, rdata: noRdata }, rcodes.FORMERR],
      [{ ...line, class: 3 }, rcodes.FORMERR],
      [{ ...line, type: rrTypes.ANY }, rcodes.FORMERR],
      [{ ...line, name: 'other.test' }, rcodes.NOTZONE],
      [none, rcodes.FORMERR],
      [{ ...none, ttl: 0, type: rrTypes.AXFR }, rcodes.FORMERR],
      [{ ...any, ttl: 1 }, rcodes.FORMERR],
      [{ ...any, rdata: line.rdata }, rcodes.FORMERR],
      [{ ...any, type: rrTypes.AXFR }, rcodes.FORMERR],
    ];
    for (const [record, rcode] of lines)
      assert.equal(
        rcodeOf(() => read([], [record])),
        rcode,
        JSON.stringify(record),
      );
    const prerequisites: [RawRecord, number][] = [
      [{ ...line, ttl: 0 }, rcodes.NOERROR],
      [line, rcodes.FORMERR],
      [{ ...any, rdata: line.rdata }, rcodes.FORMERR],
      [{ ...any, class: 3 }, rcodes.FORMERR],
      [{ ...any, name: 'other.test' }, rcodes.NOTZONE],
    ];
    for (const [record, rcode] of prerequisites)
      assert.equal(
        rcodeOf(() => read([record], [])),
        rcode,
        JSON.stringify(record),
      );
  });

  it('that was corrupted is read, or rejected in order', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 4 }), fc.nat(), fc.nat(255), (lines, at, byte) => {
        const bytes = encodeUpdate([], lines);
        bytes[at % bytes.length] = byte;
        try {
          rcodeOf(() => readUpdate(decodeMessage(bytes)));
        } catch (error) {
          assert.ok(error instanceof WireError, String(error));
        }
      }),
    );
  });
});
