import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { type Message, decodeMessage, encodeMessage } from '#protocols/dns/message.ts';
import { type TsigKey, tsigErrors, signMessage, verifyMessage } from '#protocols/dns/tsig.ts';
import { headerFlags, opcodes, rcodes, rrTypes } from '#protocols/dns/types.ts';
import { queryMessage } from '../client.ts';
import { rrset, createZone } from '../conformance.ts';
import { transferAccess } from './access.ts';
import { withCatalog } from './catalog.ts';
import { Cookies } from './cookies.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { MemorySource } from '#test/support/memory-source.ts';
import { type Peer, createResponder, type Replies } from './respond.ts';

const testTimeMs = 1_800_000_000_000;
const key: TsigKey = { name: 'key.test', algorithm: 'hmac-sha256', secret: Buffer.from('of this test') };
const memory = new MemorySource();
memory.put(
  createZone(
    'example.test',
    5,
    rrset('www.example.test', 'A', '192.0.2.1'),
    rrset(
      'big.example.test',
      'TXT',
      ...Array.from({ length: 20 }, (_, index) => `"${String(index).padStart(50, 'x')}"`),
    ),
    rrset('cut.example.test', 'NS', ...Array.from({ length: 13 }, (_, index) => `ns${index}.cut.example.test`)),
    ...Array.from({ length: 13 }, (_, index) => rrset(`ns${index}.cut.example.test`, 'AAAA', `2001:db8::${index}`)),
  ),
);
const errors: unknown[] = [];
const respond = createResponder({
  source: withCatalog(memory, 'catalog.test'),
  access: transferAccess(['192.0.2.0/24', '2001:db8::53'], [key]),
  cookies: new Cookies(Buffer.from('of this test')),
  nowMs: () => testTimeMs,
  onError: (error) => void errors.push(error),
});

const otherPeer: Peer = { address: '198.51.100.1', transport: 'udp' };
const secondary: Peer = { address: '192.0.2.53', transport: 'tcp' };

async function exchange(request: Partial<Message>, peer = otherPeer): Promise<Message[]> {
  const bytes = encodeMessage({ ...queryMessage('www.example.test', rrTypes.A), ...request });
  return (await collect(await respond(bytes, peer))).map((answer) => decodeMessage(answer));
}

async function answerTo(request: Partial<Message>, peer = otherPeer): Promise<Message> {
  const answers = await exchange(request, peer);
  assert.equal(answers.length, 1);
  return answers[0]!;
}

function question(name: string, type: number, ofClass = 1): Pick<Message, 'questions'> {
  return { questions: [{ name, type, class: ofClass }] };
}

async function collect(replies: Replies): Promise<Buffer[]> {
  const list: Buffer[] = [];
  for await (const reply of replies) list.push(reply);
  return list;
}

describe('a request', () => {
  it('is answered with its id, question and recursion bit', async () => {
    const answer = await answerTo({ id: 7, flags: headerFlags.RECURSION_DESIRED });
    assert.equal(answer.id, 7);
    assert.equal(answer.flags, headerFlags.RESPONSE | headerFlags.AUTHORITATIVE | headerFlags.RECURSION_DESIRED);
    assert.equal(answer.questions[0]!.name, 'www.example.test');
    assert.equal(answer.answers.length, 1);
  });

  it('that is not supported gets the matching rcode', async () => {
    const cases: [Partial<Message>, number][] = [
      [{ opcode: opcodes.UPDATE }, rcodes.REFUSED],
      [{ opcode: opcodes.NOTIFY }, rcodes.NOTIMP],
      [{ opcode: 15 }, rcodes.NOTIMP],
      [{ questions: [] }, rcodes.FORMERR],
      [{ questions: [...question('a.test', 1).questions, ...question('b.test', 1).questions] }, rcodes.FORMERR],
      [question('www.example.test', rrTypes.A, 3), rcodes.REFUSED],
      [question('www.example.test', rrTypes.MAILB), rcodes.NOTIMP],
      [question('www.example.test', rrTypes.TSIG), rcodes.FORMERR],
      [question('example.test', rrTypes.AXFR), rcodes.FORMERR],
      [{ edns: { udpBytes: 1232, version: 1, dnssecOk: false } }, rcodes.BADVERS],
    ];
    for (const [request, rcode] of cases) assert.equal((await answerTo(request)).rcode, rcode, JSON.stringify(request));
  });

  it('that is a response, or shorter than a header, is dropped', async () => {
    assert.deepEqual(await exchange({ flags: headerFlags.RESPONSE }), []);
    assert.deepEqual(await collect(await respond(Buffer.alloc(11), otherPeer)), []);
  });

  it('gets EDNS only if it used EDNS, and as much as fits', async () => {
    const plain = await answerTo({ ...question('big.example.test', rrTypes.TXT), edns: undefined });
    assert.equal(plain.edns, undefined);
    assert.notEqual(plain.flags & headerFlags.TRUNCATED, 0);
    const larger = await answerTo({
      ...question('big.example.test', rrTypes.TXT),
      edns: { udpBytes: 60_000, version: 0, dnssecOk: true },
    });
    assert.deepEqual(larger.edns, { udpBytes: 1232, version: 0, dnssecOk: true });
    assert.notEqual(larger.flags & headerFlags.TRUNCATED, 0, '20 texts of 50 characters exceed a datagram');
    const byTcp = await answerTo(question('big.example.test', rrTypes.TXT), { ...otherPeer, transport: 'tcp' });
    assert.equal(byTcp.answers.length, 20);
  });

  it('whose referral does not fit gets a truncated reply', async () => {
    const small = await answerTo({ ...question('x.cut.example.test', rrTypes.A), edns: undefined });
    assert.notEqual(small.flags & headerFlags.TRUNCATED, 0);
    const whole = await answerTo(question('x.cut.example.test', rrTypes.A));
    assert.equal(whole.flags & headerFlags.TRUNCATED, 0);
    assert.equal(whole.additionals.length, 13);
  });

  it('for ANY gets one set', async () => {
    const { answers } = await answerTo(question('example.test', rrTypes.ANY));
    assert.deepEqual(
      answers.map(({ type }) => type),
      [rrTypes.SOA],
    );
  });

  it('with a cookie gets a complete one', async () => {
    const client = Buffer.from('12345678');
    const edns = { udpBytes: 1232, version: 0, dnssecOk: false };
    const { edns: reply } = await answerTo({ edns: { ...edns, cookie: client } });
    assert.deepEqual([reply!.cookie!.length, reply!.cookie!.subarray(0, 8)], [24, client]);
    assert.equal((await answerTo({ edns: { ...edns, cookie: client.subarray(1) } })).edns!.cookie, undefined);
  });

  it('gets SERVFAIL if the source fails, and the error is reported', async () => {
    const failure = new Error('the database is down');
    const reported: unknown[] = [];
    const broken = createResponder({
      source: { ...withCatalog(memory, 'c.test'), findZone: () => Promise.reject(failure) },
      access: transferAccess([], []),
      nowMs: () => testTimeMs,
      onError: (error) => void reported.push(error),
    });
    const [answer] = await collect(await broken(encodeMessage(queryMessage('www.example.test', rrTypes.A)), otherPeer));
    assert.equal(decodeMessage(answer!).rcode, rcodes.SERVFAIL);
    assert.deepEqual(reported, [failure]);
  });

  it('of any kind of garbage is answered or dropped, without an error', async () => {
    const valid = [
      encodeMessage(queryMessage('www.example.test', rrTypes.A)),
      encodeMessage({
        ...queryMessage('example.test', rrTypes.IXFR),
        authorities: memory.wholeZone({ id: '', name: 'example.test' }).slice(0, 1),
      }),
      signMessage(encodeMessage(queryMessage('catalog.test', rrTypes.AXFR)), key, { timeSeconds: testTimeMs / 1000 })
        .bytes,
    ];
    const mutated = fc
      .tuple(
        fc.constantFrom(...valid),
        fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 8 }),
        fc.option(fc.nat(200)),
      )
      .map(([original, changes, cut]) => {
        const bytes = Buffer.from(original);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return cut === null ? bytes : bytes.subarray(0, cut);
      });
    const random = fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes));
    errors.length = 0;
    for (const garbage of fc.sample(fc.oneof(mutated, random), { numRuns: isLongRun ? 60_000 : 10_000, seed: 5 })) {
      const peer: Peer = { ...secondary, transport: garbage.length % 2 ? 'udp' : 'tcp' };
      for await (const answer of await respond(garbage, peer)) decodeMessage(answer);
    }
    assert.deepEqual(errors, []);
  });
});

describe('a zone transfer', () => {
  const axfr = question('example.test', rrTypes.AXFR);
  const signed = (request: Partial<Message>, by: TsigKey, timeSeconds = testTimeMs / 1000) =>
    signMessage(encodeMessage({ ...queryMessage('example.test', rrTypes.AXFR), ...request }), by, { timeSeconds });

  it('is allowed for a known address, and enclosed by SOA records', async () => {
    const [message] = await exchange(axfr, secondary);
    assert.equal(message!.answers[0]!.type, rrTypes.SOA);
    assert.equal(message!.answers.at(-1)!.type, rrTypes.SOA);
    assert.equal(message!.answers.length, 2 + 2 + 1 + 20 + 13 + 13);
    assert.equal((await answerTo(axfr, { address: '2001:db8::53', transport: 'tcp' })).rcode, rcodes.NOERROR);
  });

  it('is refused for others, and for names that are not zones', async () => {
    assert.equal((await answerTo(axfr, { ...otherPeer, transport: 'tcp' })).rcode, rcodes.REFUSED);
    assert.equal((await answerTo(question('www.example.test', rrTypes.AXFR), secondary)).rcode, rcodes.NOTAUTH);
  });

  it('with a valid key is allowed and signed', async () => {
    const request = signed({}, key);
    const [bytes] = await collect(await respond(request.bytes, { ...otherPeer, transport: 'tcp' }));
    const message = decodeMessage(bytes!);
    assert.equal(message.rcode, rcodes.NOERROR);
    const verified = verifyMessage(bytes!, message.tsig!, key, {
      nowSeconds: testTimeMs / 1000,
      priorMac: request.mac,
    });
    assert.equal(verified, tsigErrors.NONE);
  });

  it('with a wrong key, signature or time is NOTAUTH, even from a known address', async () => {
    const cases: [Buffer, number][] = [
      [signed({}, { ...key, name: 'other.test' }).bytes, tsigErrors.BADKEY],
      [signed({}, { ...key, secret: Buffer.from('wrong') }).bytes, tsigErrors.BADSIG],
      [signed({}, key, testTimeMs / 1000 - 1000).bytes, tsigErrors.BADTIME],
    ];
    for (const [bytes, error] of cases) {
      const [answer] = await collect(await respond(bytes, secondary));
      const message = decodeMessage(answer!);
      assert.deepEqual([message.rcode, message.tsig?.error, message.answers.length], [rcodes.NOTAUTH, error, 0]);
    }
  });

  it('by IXFR is the SOA if nothing changed, otherwise the whole zone', async () => {
    const since = (serial: number) => ({
      ...question('example.test', rrTypes.IXFR),
      authorities: [rrset('example.test', 'SOA', `a.test b.test ${serial} 1 1 1 1`)],
    });
    assert.equal((await answerTo(since(5), secondary)).answers.length, 1);
    assert.ok((await answerTo(since(4), secondary)).answers.length > 2);
    assert.equal((await answerTo(since(4), { ...secondary, transport: 'udp' })).answers.length, 1);
  });

  it('of the catalog lists all zones, and others cannot query it', async () => {
    const [message] = await exchange(question('catalog.test', rrTypes.AXFR), secondary);
    const owners = message!.answers.map((record) => record.name);
    assert.deepEqual(owners, [
      'catalog.test',
      'catalog.test',
      'version.catalog.test',
      'z2.zones.catalog.test',
      'catalog.test',
    ]);
    assert.equal((await answerTo(question('catalog.test', rrTypes.SOA), secondary)).answers.length, 1);
    assert.equal((await answerTo(question('zones.catalog.test', rrTypes.PTR), secondary)).rcode, rcodes.NOERROR);
    for (const name of ['catalog.test', 'z2.zones.catalog.test']) {
      assert.equal((await answerTo(question(name, rrTypes.PTR))).rcode, rcodes.REFUSED);
    }
  });
});
