import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { contentToWire } from './rdata.ts';
import type { Rrset } from './rrset.ts';
import { rrTypes, typeName } from './types.ts';
import { checkOwner, checkZone, isNewerSerial, nextSerial } from './zone-rules.ts';

function set(name: string, type: keyof typeof rrTypes, ...contents: string[]): Rrset {
  return {
    name,
    type: rrTypes[type],
    ttl: 300,
    rdata: contents.map((content) => contentToWire(rrTypes[type], content)),
  };
}

const soa = set('a.test', 'SOA', 'ns.test host.test 1 2 3 4 5');
const ns = set('a.test', 'NS', 'ns.test');

const problemsOf = (sets: readonly Rrset[]) =>
  [
    ...checkZone(
      'a.test',
      Map.groupBy(sets, ({ name }) => name),
    ),
  ].flat();

describe('a zone', () => {
  it('with SOA, NS and valid records has no problems', () => {
    const sets = [
      soa,
      ns,
      set('*.a.test', 'A', '192.0.2.1'),
      set('_dmarc.a.test', 'TXT', 'x'),
      set('www.a.test', 'CNAME', 'b.test'),
      set('b.*.a.test', 'A', '192.0.2.1'),
      set('a-*.a.test', 'A', '192.0.2.1'),
      set('a.test', 'ALIAS', 'x.test'),
      set('d.a.test', 'DNAME', 'x.test'),
      set('d.a.test', 'A', '192.0.2.1'),
    ];
    assert.deepEqual(problemsOf(sets), []);
    assert.equal(checkOwner('0/26.2.0.192.in-addr.arpa', '7.0/26.2.0.192.in-addr.arpa', rrTypes.PTR), undefined);
  });

  it('reports all problems', () => {
    const sets = [
      set('a.test', 'CNAME', 'b.test'),
      set('www.a.test', 'CNAME', 'b.test', 'c.test'),
      set('www.a.test', 'A', '192.0.2.1', '192.0.2.1'),
      set('x.a.test', 'SOA', 'ns.test host.test 1 2 3 4 5'),
      set('b.test', 'A', '192.0.2.1'),
      set('a+b.a.test', 'A', '192.0.2.1'),
      set('key.a.test', 'CDS', '0 0 0 00'),
      set('d.a.test', 'DNAME', 'x.test', 'y.test'),
      set('b.c.d.a.test', 'A', '192.0.2.1'),
      set('alias.a.test', 'ALIAS', 'x.test'),
      set('alias.a.test', 'AAAA', '2001:db8::1'),
      set('ttl.a.test', 'A', '192.0.2.1'),
      { ...set('ttl.a.test', 'A', '192.0.2.2'), ttl: 60 },
      set('a.test', 'DS', `1 13 2 ${'ab'.repeat(32)}`),
    ];
    const problems = problemsOf(sets);
    const texts = problems.map(({ name, type, reason }) => `${name} ${typeName(type)}: ${reason}`);
    assert.deepEqual(texts, [
      'a.test CNAME: the zone apex cannot be a CNAME, because it has other records',
      'a.test DS: the DS records of a zone belong in its parent zone',
      'a.test CNAME: a CNAME cannot coexist with other records',
      'www.a.test CNAME: a name can have only one CNAME record',
      'www.a.test A: duplicate record',
      'www.a.test CNAME: a CNAME cannot coexist with other records',
      'x.a.test SOA: SOA records are allowed only at the zone apex',
      'b.test A: the name is outside the zone a.test',
      'a+b.a.test A: the name may contain only letters, digits, "-", "_", "/" and "*"',
      'key.a.test CDS: CDS records are allowed only at the zone apex',
      'd.a.test DNAME: a name can have only one DNAME record',
      'b.c.d.a.test A: nothing can be below the DNAME at d.a.test',
      'alias.a.test ALIAS: an ALIAS cannot coexist with A and AAAA records',
      'ttl.a.test A: all records of one type at a name must have the same TTL',
      'a.test SOA: the zone has no SOA record',
      'a.test NS: the zone has no NS record',
    ]);
  });
});

describe('a zone serial', () => {
  it('follows the date if possible, and always increases', () => {
    const now = Date.UTC(2026, 10, 15);
    assert.equal(nextSerial(0, now), 2026111500);
    assert.equal(nextSerial(2026111500, now), 2026111501);
    assert.equal(nextSerial(2026120100, now), 2026120101);
    fc.assert(fc.property(fc.nat(0xffffffff), (serial) => assert.ok(isNewerSerial(nextSerial(serial, now), serial))));
  });

  it('wraps at 2^32', () => {
    assert.ok(isNewerSerial(0, 0xffffffff));
    assert.ok(!isNewerSerial(5, 5));
    assert.ok(!isNewerSerial(4, 5));
  });
});
