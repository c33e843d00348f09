import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contentToWire } from './rdata.ts';
import type { Rrset } from './rrset.ts';
import { TYPE, typeName } from './types.ts';
import { ownerProblem, zoneProblems } from './zone-rules.ts';

function set(name: string, type: keyof typeof TYPE, ...contents: string[]): Rrset {
  return { name, type: TYPE[type], ttl: 300, rdata: contents.map((content) => contentToWire(TYPE[type], content)) };
}

const soa = set('a.test', 'SOA', 'ns.test host.test 1 2 3 4 5');
const ns = set('a.test', 'NS', 'ns.test');

describe('a zone', () => {
  it('with SOA, NS and decent records has no problems', () => {
    const sets = [
      soa,
      ns,
      set('*.a.test', 'A', '192.0.2.1'),
      set('_dmarc.a.test', 'TXT', 'x'),
      set('www.a.test', 'CNAME', 'b.test'),
    ];
    assert.deepEqual(zoneProblems('a.test', sets), []);
    assert.equal(ownerProblem('0/26.2.0.192.in-addr.arpa', '7.0/26.2.0.192.in-addr.arpa', TYPE.PTR), undefined);
  });

  it('is told everything that is wrong', () => {
    const sets = [
      set('a.test', 'CNAME', 'b.test'),
      set('www.a.test', 'CNAME', 'b.test', 'c.test'),
      set('www.a.test', 'A', '192.0.2.1', '192.0.2.1'),
      set('x.a.test', 'SOA', 'ns.test host.test 1 2 3 4 5'),
      set('b.test', 'A', '192.0.2.1'),
      set('b.*.a.test', 'A', '192.0.2.1'),
      set('ttl.a.test', 'A', '192.0.2.1'),
      { ...set('ttl.a.test', 'A', '192.0.2.2'), ttl: 60 },
      set('a.test', 'DS', `1 13 2 ${'ab'.repeat(32)}`),
    ];
    const told = zoneProblems('a.test', sets).map(({ name, type, reason }) => `${name} ${typeName(type)}: ${reason}`);
    assert.deepEqual(told, [
      'a.test CNAME: the top of a zone has other records and so cannot be a CNAME',
      'www.a.test CNAME: there can be only one CNAME record at a name',
      'www.a.test A: the same record stands there twice',
      'x.a.test SOA: a SOA record belongs to the top of the zone',
      'b.test A: the name is outside the zone a.test',
      'b.*.a.test A: the name may have letters, digits, "-", "_", "/" and a first label "*" only',
      'ttl.a.test A: the records of one type at a name must have one TTL',
      'a.test DS: the DS records of a zone belong to its parent',
      'a.test CNAME: a CNAME cannot stand beside other records',
      'www.a.test CNAME: a CNAME cannot stand beside other records',
      'a.test SOA: the zone has no SOA record',
      'a.test NS: the zone has no NS record',
    ]);
  });
});
