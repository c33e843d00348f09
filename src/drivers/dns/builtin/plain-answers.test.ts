import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeMessage, encodeMessage } from '#protocols/dns/message.ts';
import { headerFlags, rcodes, rrTypes } from '#protocols/dns/types.ts';
import { makeQuestions, makeZone, randomFrom, zoneNames } from '#test/support/dns-zones.ts';
import { queryMessage } from '../client.ts';
import { createZone, rrset } from '../conformance.ts';
import { Cookies } from './cookies.ts';
import { createCounters } from './counters.ts';
import { MemorySource } from '#test/support/memory-source.ts';
import { PeerAddress } from './peer-address.ts';
import { noReply, PlainAnswers } from './plain-answers.ts';
import { maxUdpBytes } from './reply-writer.ts';
import { createResponseLimit } from './response-limit.ts';
import { sipHash } from './siphash.ts';

const hex = (text: string): DataView => new DataView(new Uint8Array(Buffer.from(text, 'hex')).buffer);
const key = Buffer.from('of this installation');

function peerAt(text: string): PeerAddress {
  const peer = new PeerAddress();
  peer.readText(text);
  return peer;
}

function open(settings: { source: MemorySource; cookies?: Cookies; nsid?: string; perSecond?: number }) {
  const { source, cookies = new Cookies(key), nsid, perSecond = 1e6 } = settings;
  const limit = createResponseLimit(perSecond);
  const plain = new PlainAnswers({ image: source.image, limit, cookies, counters: createCounters(), nsid });
  const out = Buffer.alloc(maxUdpBytes);
  return {
    /** Returns the reply as the bytes of the datagram, or what happens instead. */
    answer(datagram: Uint8Array, peer = peerAt('192.0.2.1')): Buffer | number {
      const length = plain.answerUdp(datagram, 0, datagram.length, peer, 0, out, 0);
      return length > 0 ? Buffer.from(out.subarray(0, length)) : length;
    },
  };
}

function exampleSource(): MemorySource {
  const source = new MemorySource();
  source.put(createZone('example.test', 1, rrset('www.example.test', 'A', '192.0.2.1')));
  return source;
}

/** A query with an OPT record of these fields and options. */
function ednsQuery(opt: {
  udpBytes?: number;
  version?: number;
  flags?: number;
  options?: Buffer;
  name?: string;
}): Buffer {
  const { udpBytes = 1232, version = 0, flags = 0, options = Buffer.alloc(0), name = 'www.example.test' } = opt;
  const query = encodeMessage({ ...queryMessage(name, rrTypes.A), edns: undefined });
  query.writeUInt16BE(1, 10);
  const record = Buffer.alloc(11);
  record.writeUInt16BE(rrTypes.OPT, 1);
  record.writeUInt16BE(udpBytes, 3);
  record[6] = version;
  record.writeUInt16BE(flags, 7);
  record.writeUInt16BE(options.length, 9);
  return Buffer.concat([query, record, options]);
}

function option(code: number, data: Buffer | string): Buffer {
  const content = Buffer.from(data);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(code, 0);
  head.writeUInt16BE(content.length, 2);
  return Buffer.concat([head, content]);
}

/** The options of a reply, by code. */
function optionsOf(reply: Buffer): Map<number, Buffer> {
  const options = new Map<number, Buffer>();
  // The OPT record is the last; its owner is the root.
  let at = reply.lastIndexOf(Buffer.of(0, 0, rrTypes.OPT, 0x04, 0xd0)) + 11;
  while (at < reply.length) {
    const length = reply.readUInt16BE(at + 2);
    options.set(reply.readUInt16BE(at), reply.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return options;
}

const cookieCode = 10;
const client = Buffer.from('2464c4abcf10c957', 'hex');

describe('EDNS', () => {
  const { answer } = open({ source: exampleSource(), nsid: 'ams1' });
  const exchange = (query: Buffer) => {
    const reply = answer(query);
    assert.ok(Buffer.isBuffer(reply));
    return { reply, message: decodeMessage(reply) };
  };

  it('of an unknown version gets BADVERS, with the version that is known', () => {
    const { rcode, edns, answers } = exchange(ednsQuery({ version: 1 })).message;
    assert.deepEqual([rcode, edns?.version, answers.length], [rcodes.BADVERS, 0, 0]);
  });

  it('with unknown options and flags is answered without them', () => {
    const options = Buffer.concat([option(65_001, 'unknown'), option(8, Buffer.of(0, 1, 24, 0, 192, 0, 2))]);
    const { reply, message } = exchange(ednsQuery({ options, flags: 0xffff }));
    assert.deepEqual([message.rcode, message.answers.length, optionsOf(reply).size], [rcodes.NOERROR, 1, 0]);
    // Only DO is copied (RFC 3225 section 3).
    assert.equal(reply.readUInt16BE(reply.length - 4), 0x8000);
  });

  it('of any size gets at least 512 and at most 1232 bytes', () => {
    const source = exampleSource();
    const sizes = { fits512: 440, fits1232: 1150, fitsNone: 1250 };
    const texts = (bytes: number) =>
      `"${'x'.repeat(200)}" `.repeat(Math.floor(bytes / 201)) + `"${'x'.repeat((bytes % 201) - 1)}"`;
    for (const [name, bytes] of Object.entries(sizes))
      source.put(createZone(`${name}.test`.toLowerCase(), 1, rrset(`${name}.test`.toLowerCase(), 'TXT', texts(bytes))));
    const plain = open({ source });
    const isWhole = (name: string, udpBytes: number) => {
      const query = encodeMessage({
        ...queryMessage(`${name}.test`, rrTypes.TXT),
        edns: { udpBytes, version: 0, dnssecOk: false },
      });
      const reply = plain.answer(query);
      assert.ok(Buffer.isBuffer(reply));
      return decodeMessage(reply).answers.length === 1;
    };
    for (const udpBytes of [0, 100, 512, 1232, 65_535]) {
      assert.equal(isWhole('fits512', udpBytes), true, `512 of ${udpBytes}`);
      assert.equal(isWhole('fits1232', udpBytes), udpBytes >= 1232, `1232 of ${udpBytes}`);
      assert.equal(isWhole('fitsnone', udpBytes), false);
    }
  });

  it('tells the name of the server to those who ask', () => {
    const { reply } = exchange(ednsQuery({ options: option(3, '') }));
    assert.equal(optionsOf(reply).get(3)?.toString(), 'ams1');
  });
});

describe('a DNS cookie', () => {
  it('is hashed as RFC 9018 says', () => {
    const out = new DataView(new ArrayBuffer(8));
    // Appendix A.1.
    const [secret, input] = ['e5e973e5a6b2a43f48e7dc849e37bfcf', '2464c4abcf10c957010000005cf79f11c6336464'];
    sipHash(hex(secret), hex(input), input.length / 2, out);
    assert.equal(Buffer.from(out.buffer).toString('hex'), '1f8130c3eee29480');
  });

  it('exempts its owner from the limit, for an hour, on every node, and no other address', () => {
    let nowMs = 1_800_000_000_000;
    const source = exampleSource();
    const nodes = [1, 2].map(() => open({ source, cookies: new Cookies(key, () => nowMs), perSecond: 1 }));
    const [first, second] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
    const peer = peerAt('192.0.2.1');
    const ask = (node: typeof first, cookie: Buffer, from = peer) =>
      node.answer(ednsQuery({ options: option(cookieCode, cookie) }), from);
    const reply = ask(first, client) as Buffer;
    const cookie = optionsOf(reply).get(cookieCode)!;
    assert.deepEqual([cookie.length, cookie.subarray(0, 8)], [24, client]);

    const answered = (node: typeof first, withCookie: Buffer, from = peer): number => {
      const replies = Array.from({ length: 20 }, () => ask(node, withCookie, from)).filter((each) => each !== noReply);
      return replies.filter((each) => decodeMessage(each as Buffer).answers.length === 1).length;
    };
    assert.equal(answered(first, cookie), 20);
    assert.equal(answered(second, cookie), 20);
    assert.ok(answered(first, client) < 20, 'a cookie without our part');
    const forged = Buffer.from(cookie);
    forged[23]! ^= 1;
    assert.ok(answered(first, forged) < 20);
    assert.ok(answered(second, cookie, peerAt('198.51.100.1')) < 20, 'the cookie of another address');
    nowMs += 59 * 60_000;
    assert.equal(answered(first, cookie), 20);
    nowMs += 2 * 60_000;
    assert.ok(answered(first, cookie) < 20, 'an old cookie');
    const renewed = optionsOf(
      open({ source, cookies: new Cookies(key, () => nowMs) }).answer(
        ednsQuery({ options: option(cookieCode, cookie) }),
      ) as Buffer,
    );
    assert.equal(answered(first, renewed.get(cookieCode)!), 20);
  });

  it('of the last month is still valid after the secret has changed', () => {
    const secretPeriodMs = 30 * 24 * 3_600_000;
    let nowMs = Math.ceil(1_800_000_000_000 / secretPeriodMs) * secretPeriodMs - 1000;
    const cookies = new Cookies(key, () => nowMs);
    const given = new Uint8Array(24);
    assert.equal(cookies.exchange(client, 0, 8, peerAt('2001:db8::1'), given), false);
    nowMs += 2000;
    const next = new Uint8Array(24);
    assert.equal(cookies.exchange(given, 0, 24, peerAt('2001:db8::1'), next), true);
    assert.equal(cookies.exchange(next, 0, 24, peerAt('2001:db8::1'), given), true);
    assert.equal(
      new Cookies(Buffer.from('another'), () => nowMs).exchange(next, 0, 24, peerAt('2001:db8::1'), given),
      false,
    );
  });

  it('of a wrong size gets FORMERR', () => {
    const { answer } = open({ source: exampleSource() });
    for (const size of [1, 7, 9, 15, 41]) {
      const reply = answer(ednsQuery({ options: option(cookieCode, Buffer.alloc(size)) }));
      assert.equal(decodeMessage(reply as Buffer).rcode, rcodes.FORMERR, `${size} bytes`);
    }
  });
});

describe('100,000 random and mutated packets', () => {
  it('get a reply that can be decoded and is not too large, or none', () => {
    const random = randomFrom(23);
    const source = new MemorySource();
    const zones = zoneNames.map((name) => makeZone(name, random));
    for (const zone of zones) source.put(zone);
    const { answer } = open({ source });
    const seeds = makeQuestions(zones, random, 500).map(({ name, type }, index) =>
      index % 2 === 0
        ? encodeMessage(queryMessage(name, type))
        : ednsQuery({ name, options: option(cookieCode, Buffer.alloc([8, 16, 24, 40][random(4)]!, index)) }),
    );
    let replies = 0;
    for (let count = 0; count < 100_000; count++) {
      const packet = Buffer.from(seeds[random(seeds.length)]!);
      for (let changes = random(6); changes > 0; changes--) packet[random(packet.length)] = random(256);
      const cut = random(8) === 0 ? packet.subarray(0, random(packet.length + 1)) : packet;
      const reply = answer(random(50) === 0 ? Buffer.alloc(random(600), random(256)) : cut);
      if (!Buffer.isBuffer(reply)) continue;
      replies++;
      const { id, flags, edns } = decodeMessage(reply);
      assert.ok(reply.length <= (edns === undefined ? 512 : maxUdpBytes), `${reply.length} bytes`);
      assert.ok(id === cut.readUInt16BE(0) && (flags & headerFlags.RESPONSE) !== 0, cut.toString('hex'));
    }
    assert.ok(replies > 20_000, `${replies} replies`);
  });
});
