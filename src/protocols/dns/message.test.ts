import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import dnsPacket from 'dns-packet';
import { fc } from '#test/support/fast-check.ts';
import { WireError } from './errors.ts';
import { type Message, decodeMessage, encodeMessage } from './message.ts';
import { contentToWire } from './rdata.ts';
import type { Rrset } from './rrset.ts';
import { headerFlags, rcodes, rrTypes } from './types.ts';

function set(name: string, type: number, ...contents: string[]): Rrset {
  return { name, type, ttl: 300, rdata: contents.map((content) => contentToWire(type, content)) };
}

const base: Message = {
  id: 4711,
  flags: headerFlags.RESPONSE | headerFlags.AUTHORITATIVE,
  opcode: 0,
  rcode: rcodes.NOERROR,
  questions: [{ name: 'www.example.test', type: rrTypes.A, class: 1 }],
  answers: [
    set('www.example.test', rrTypes.CNAME, 'web.example.test'),
    set('web.example.test', rrTypes.A, '192.0.2.1', '192.0.2.2'),
  ],
  authorities: [set('example.test', rrTypes.SOA, 'ns1.example.test hostmaster.example.test 1 2 3 4 5')],
  additionals: [set('example.test', rrTypes.MX, '10 mail.example.test')],
  edns: { udpBytes: 1232, version: 0, dnssecOk: true },
};

describe('a message', () => {
  it('is decoded correctly by dns-packet, and is compressed', () => {
    const bytes = encodeMessage(base);
    const decoded = dnsPacket.decode(bytes);
    assert.equal(decoded.id, 4711);
    assert.equal(decoded.flag_aa, true);
    const summary = (decoded.answers ?? []).map((answer) => [
      answer.name,
      answer.type,
      'data' in answer ? answer.data : '',
    ]);
    assert.deepEqual(summary, [
      ['www.example.test', 'CNAME', 'web.example.test'],
      ['web.example.test', 'A', '192.0.2.1'],
      ['web.example.test', 'A', '192.0.2.2'],
    ]);
    const [soa] = decoded.authorities ?? [];
    assert.equal(soa?.type === 'SOA' && soa.data.rname, 'hostmaster.example.test');
    assert.equal(bytes.toString('latin1').split('example').length - 1, 1, 'a repeated name is a pointer');
  });

  it('survives encoding and decoding', () => {
    const decoded = decodeMessage(encodeMessage(base));
    const [cname, first, second] = decoded.answers;
    assert.equal(decoded.answers.length, 3);
    assert.deepEqual(cname!.rdata, base.answers[0]!.rdata);
    assert.deepEqual([first!.rdata[0], second!.rdata[0]], base.answers[1]!.rdata);
    assert.deepEqual(decoded.authorities[0]!.rdata, base.authorities[0]!.rdata);
    assert.deepEqual(decoded.additionals[0]!.rdata, base.additionals[0]!.rdata);
    assert.deepEqual(decoded.edns, base.edns);
    assert.equal(decoded.flags, base.flags);
  });

  it('keeps the case of the question', () => {
    const decoded = decodeMessage(
      dnsPacket.encode({ type: 'query', id: 1, questions: [{ type: 'A', name: 'wWw.ExAmPlE.tEsT' }] }),
    );
    assert.equal(decoded.questions[0]!.name, 'www.example.test');
    const answer = encodeMessage({ ...base, questions: decoded.questions });
    assert.equal(dnsPacket.decode(answer).questions?.[0]?.name, 'wWw.ExAmPlE.tEsT');
    assert.equal(decodeMessage(answer).answers[0]!.name, 'www.example.test');
  });

  it('too long for its transport is truncated to the question and OPT; additional RRsets alone are omitted', () => {
    const whole = encodeMessage(base);
    const withoutExtras = decodeMessage(encodeMessage(base, whole.length - 1));
    assert.equal(withoutExtras.flags & headerFlags.TRUNCATED, 0);
    assert.equal(withoutExtras.additionals.length, 0);
    assert.equal(withoutExtras.authorities.length, 1);
    const truncated = decodeMessage(encodeMessage(base, 90));
    assert.notEqual(truncated.flags & headerFlags.TRUNCATED, 0);
    assert.equal(truncated.answers.length + truncated.authorities.length, 0);
    assert.deepEqual(truncated.edns, base.edns);
  });

  it('carries extended rcodes in OPT', () => {
    assert.equal(decodeMessage(encodeMessage({ ...base, rcode: rcodes.BADVERS })).rcode, rcodes.BADVERS);
  });

  it('of random or mutated bytes is decoded or rejected', () => {
    const whole = encodeMessage(base);
    const mutated = fc
      .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
      .map((changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 80 })), (bytes) => {
        try {
          decodeMessage(bytes);
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
        }
      }),
      { numRuns: 20_000 },
    );
  });

  it('whose name pointers lead forward or loop is rejected', () => {
    const header = Buffer.from('000001000001000000000000', 'hex');
    for (const name of ['c00c', 'c00e', '0161c00c', 'ffff', '80', '3f61']) {
      const bytes = Buffer.concat([header, Buffer.from(`${name}00010001`, 'hex')]);
      assert.throws(() => decodeMessage(bytes), WireError, name);
    }
  });

  it('whose names consist of more pointers than a name can have labels is rejected', () => {
    /** A question whose name is `a`, and an answer at the end of a chain of pointers that leads to it. */
    const withPointers = (count: number): Buffer => {
      const head = Buffer.from('00008000000100010000000001610000010001', 'hex');
      const chain = Buffer.alloc(2 * (count - 1));
      const chainAt = head.length + 11;
      for (let index = 0; index < count - 1; index++)
        chain.writeUInt16BE(0xc000 | (index === 0 ? 12 : chainAt + 2 * (index - 1)), 2 * index);
      const record = Buffer.from('00ff000001000000000000', 'hex');
      record.writeUInt16BE(chain.length, 9);
      const last = Buffer.from('c00cff000001000000000000', 'hex');
      last.writeUInt16BE(0xc000 | (count === 1 ? 12 : chainAt + chain.length - 2), 0);
      head.writeUInt16BE(2, 6);
      return Buffer.concat([head, record, chain, last]);
    };
    assert.deepEqual(
      [1, 2, 127].map((count) => decodeMessage(withPointers(count)).answers[1]!.name),
      ['a', 'a', 'a'],
    );
    assert.throws(() => decodeMessage(withPointers(128)), WireError);
  });
});
