import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rcodes, rrTypes, typeName } from '#protocols/dns/types.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rrset, createZone } from '../conformance.ts';
import { answerQuestion } from './answer.ts';
import { MemorySource } from '#test/support/memory-source.ts';

const source = new MemorySource();
source.put(
  createZone(
    'example.test',
    1,
    rrset('www.example.test', 'A', '192.0.2.1'),
    rrset('alias.example.test', 'CNAME', 'www.example.test'),
    rrset('out.example.test', 'CNAME', 'www.elsewhere.test'),
    rrset('dangling.example.test', 'CNAME', 'no.example.test'),
    rrset('circle.example.test', 'CNAME', 'circle.example.test'),
    rrset('*.wild.example.test', 'TXT', 'wild'),
    rrset('*.wild.example.test', 'MX', '10 mail.example.test'),
    rrset('real.wild.example.test', 'A', '192.0.2.2'),
    rrset('below.real.wild.example.test', 'A', '192.0.2.2'),
    rrset('deep.empty.example.test', 'A', '192.0.2.3'),
    rrset('cut.example.test', 'NS', 'ns.cut.example.test', 'ns.elsewhere.test'),
    rrset('cut.example.test', 'DS', `1 13 2 ${'ab'.repeat(32)}`),
    rrset('ns.cut.example.test', 'A', '192.0.2.53'),
    rrset('child.example.test', 'NS', 'ns.elsewhere.test'),
  ),
);
source.put(createZone('child.example.test', 1, rrset('www.child.example.test', 'A', '192.0.2.4')));

const soaLine = 'example.test 300 SOA ns1.lab.test hostmaster.lab.test 1 10800 3600 604800 3600';

async function ask(name: string, type: keyof typeof rrTypes) {
  const answer = await answerQuestion({ name, type: rrTypes[type], maySeeHidden: () => false }, source);
  const lines = (sets: readonly Rrset[]) =>
    sets.flatMap((set) =>
      set.rdata.map((data) => `${set.name} ${set.ttl} ${typeName(set.type)} ${wireToContent(set.type, data, 'plain')}`),
    );
  const { rcode, authoritative } = answer;
  return {
    rcode,
    authoritative,
    answers: lines(answer.answers),
    authorities: lines(answer.authorities),
    additionals: lines(answer.additionals),
  };
}

const nothingMore = { authorities: [], additionals: [] };
const positive = (...answers: string[]) => ({ rcode: rcodes.NOERROR, authoritative: true, answers, ...nothingMore });
const negative = (rcode: number, soa = soaLine) => ({
  rcode,
  authoritative: true,
  answers: [],
  authorities: [soa],
  additionals: [],
});

describe('the answer to a question', () => {
  it('contains the records at the name', async () => {
    assert.deepEqual(await ask('www.example.test', 'A'), positive('www.example.test 300 A 192.0.2.1'));
    assert.deepEqual((await ask('example.test', 'NS')).answers, [
      'example.test 300 NS ns1.lab.test',
      'example.test 300 NS ns2.lab.test',
    ]);
  });

  it('contains the SOA if the name or type does not exist', async () => {
    assert.deepEqual(await ask('www.example.test', 'TXT'), negative(rcodes.NOERROR));
    assert.deepEqual(await ask('no.example.test', 'A'), negative(rcodes.NXDOMAIN));
    assert.deepEqual(await ask('no.www.example.test', 'A'), negative(rcodes.NXDOMAIN));
    assert.deepEqual(await ask('empty.example.test', 'A'), negative(rcodes.NOERROR));
  });

  it("limits negative caching to the SOA's minimum", async () => {
    const short = new MemorySource();
    short.put({ name: 's.test', rrsets: [rrset('s.test', 'SOA', 'a.test b.test 1 2 3 4 60')] });
    const { authorities } = await answerQuestion(
      { name: 'x.s.test', type: rrTypes.A, maySeeHidden: () => false },
      short,
    );
    assert.equal(authorities[0]!.ttl, 60);
  });

  it('follows CNAMEs within our zones', async () => {
    const alias = 'alias.example.test 300 CNAME www.example.test';
    assert.deepEqual(await ask('alias.example.test', 'A'), positive(alias, 'www.example.test 300 A 192.0.2.1'));
    assert.deepEqual(await ask('alias.example.test', 'CNAME'), positive(alias));
    assert.deepEqual(await ask('alias.example.test', 'ANY'), positive(alias));
    assert.deepEqual(await ask('out.example.test', 'A'), positive('out.example.test 300 CNAME www.elsewhere.test'));
    const dangling = await ask('dangling.example.test', 'A');
    assert.deepEqual([dangling.rcode, dangling.answers.length, dangling.authorities], [rcodes.NXDOMAIN, 1, [soaLine]]);
    assert.equal((await ask('circle.example.test', 'A')).rcode, rcodes.SERVFAIL);
  });

  it('uses a wildcard only if there is no closer name (RFC 4592)', async () => {
    assert.deepEqual(await ask('x.wild.example.test', 'TXT'), positive('x.wild.example.test 300 TXT "wild"'));
    assert.deepEqual(await ask('x.y.wild.example.test', 'TXT'), positive('x.y.wild.example.test 300 TXT "wild"'));
    assert.deepEqual(await ask('x.wild.example.test', 'A'), negative(rcodes.NOERROR));
    assert.deepEqual(await ask('*.wild.example.test', 'TXT'), positive('*.wild.example.test 300 TXT "wild"'));
    assert.deepEqual(await ask('real.wild.example.test', 'TXT'), negative(rcodes.NOERROR));
    assert.deepEqual(await ask('x.real.wild.example.test', 'TXT'), negative(rcodes.NXDOMAIN));
    assert.deepEqual(await ask('wild.example.test', 'TXT'), negative(rcodes.NOERROR));
  });

  it('refers to the child at and below a zone cut, with glue', async () => {
    const referral = {
      rcode: rcodes.NOERROR,
      authoritative: false,
      answers: [],
      authorities: ['cut.example.test 300 NS ns.cut.example.test', 'cut.example.test 300 NS ns.elsewhere.test'],
      additionals: ['ns.cut.example.test 300 A 192.0.2.53'],
    };
    for (const name of ['cut.example.test', 'x.y.cut.example.test', 'ns.cut.example.test']) {
      assert.deepEqual(await ask(name, 'A'), referral, name);
    }
    assert.equal((await ask('cut.example.test', 'DS')).answers.length, 1);
    assert.deepEqual(
      await ask('child.example.test', 'DS'),
      negative(rcodes.NOERROR),
      'the parent denies the DS of a child',
    );
  });

  it('comes from the closest zone', async () => {
    assert.deepEqual(await ask('www.child.example.test', 'A'), positive('www.child.example.test 300 A 192.0.2.4'));
    assert.match((await ask('no.child.example.test', 'A')).authorities[0]!, /^child\.example\.test 300 SOA/);
  });

  it('is REFUSED outside our zones', async () => {
    for (const name of ['elsewhere.test', 'test', '']) assert.equal((await ask(name, 'A')).rcode, rcodes.REFUSED);
  });
});
