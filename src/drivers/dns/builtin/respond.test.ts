import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Message, decodeMessage, encodeMessage } from '#wire/dns/message.ts';
import { type TsigKey, TSIG_ERROR, signMessage, verifyMessage } from '#wire/dns/tsig.ts';
import { FLAG, OPCODE, RCODE, TYPE } from '#wire/dns/types.ts';
import { queryMessage } from '../client.ts';
import { rrset, zoneOf } from '../conformance.ts';
import { transferAccess } from './access.ts';
import { withCatalog } from './catalog.ts';
import { MemorySource } from './memory-source.ts';
import { type Peer, responder } from './respond.ts';

const NOW_MS = 1_800_000_000_000;
const key: TsigKey = { name: 'key.test', algorithm: 'hmac-sha256', secret: Buffer.from('of this test') };
const memory = new MemorySource();
memory.put(
  zoneOf(
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
const faults: unknown[] = [];
const respond = responder({
  source: withCatalog(memory, 'catalog.test'),
  access: transferAccess(['192.0.2.0/24', '2001:db8::53'], [key]),
  nowMs: () => NOW_MS,
  onFault: (error) => void faults.push(error),
});

const stranger: Peer = { address: '198.51.100.1', transport: 'udp' };
const secondary: Peer = { address: '192.0.2.53', transport: 'tcp' };

async function exchange(request: Partial<Message>, peer = stranger): Promise<Message[]> {
  const bytes = encodeMessage({ ...queryMessage('www.example.test', TYPE.A), ...request });
  return [...(await respond(bytes, peer))].map((answer) => decodeMessage(answer));
}

async function answerTo(request: Partial<Message>, peer = stranger): Promise<Message> {
  const answers = await exchange(request, peer);
  assert.equal(answers.length, 1);
  return answers[0]!;
}

function question(name: string, type: number, ofClass = 1): Pick<Message, 'questions'> {
  return { questions: [{ name, type, class: ofClass }] };
}

describe('a request on the wire', () => {
  it('is answered under its id, with the question and the recursion bit as they came', async () => {
    const answer = await answerTo({ id: 7, flags: FLAG.RECURSION_DESIRED });
    assert.equal(answer.id, 7);
    assert.equal(answer.flags, FLAG.RESPONSE | FLAG.AUTHORITATIVE | FLAG.RECURSION_DESIRED);
    assert.equal(answer.questions[0]!.name, 'www.example.test');
    assert.equal(answer.answers.length, 1);
  });

  it('that we do not serve gets the code that says why', async () => {
    const cases: [Partial<Message>, number][] = [
      [{ opcode: OPCODE.UPDATE }, RCODE.NOTIMP],
      [{ opcode: OPCODE.NOTIFY }, RCODE.NOTIMP],
      [{ opcode: 15 }, RCODE.NOTIMP],
      [{ questions: [] }, RCODE.FORMERR],
      [{ questions: [...question('a.test', 1).questions, ...question('b.test', 1).questions] }, RCODE.FORMERR],
      [question('www.example.test', TYPE.A, 3), RCODE.REFUSED],
      [question('www.example.test', TYPE.MAILB), RCODE.NOTIMP],
      [question('www.example.test', TYPE.TSIG), RCODE.FORMERR],
      [question('example.test', TYPE.AXFR), RCODE.FORMERR],
      [{ edns: { udpBytes: 1232, version: 1, dnssecOk: false } }, RCODE.BADVERS],
    ];
    for (const [request, rcode] of cases) assert.equal((await answerTo(request)).rcode, rcode, JSON.stringify(request));
  });

  it('that is an answer, or too short for a header, is dropped', async () => {
    assert.deepEqual(await exchange({ flags: FLAG.RESPONSE }), []);
    assert.deepEqual([...(await respond(Buffer.alloc(11), stranger))], []);
  });

  it('gets EDNS back only where it brought it, and as much as fits', async () => {
    const plain = await answerTo({ ...question('big.example.test', TYPE.TXT), edns: undefined });
    assert.equal(plain.edns, undefined);
    assert.notEqual(plain.flags & FLAG.TRUNCATED, 0);
    const larger = await answerTo({
      ...question('big.example.test', TYPE.TXT),
      edns: { udpBytes: 60_000, version: 0, dnssecOk: true },
    });
    assert.deepEqual(larger.edns, { udpBytes: 1232, version: 0, dnssecOk: true });
    assert.notEqual(larger.flags & FLAG.TRUNCATED, 0, '20 texts of 50 characters are more than a datagram holds');
    const byTcp = await answerTo(question('big.example.test', TYPE.TXT), { ...stranger, transport: 'tcp' });
    assert.equal(byTcp.answers.length, 20);
  });

  it('says that glue is missing from a referral which does not fit', async () => {
    const small = await answerTo({ ...question('x.cut.example.test', TYPE.A), edns: undefined });
    assert.notEqual(small.flags & FLAG.TRUNCATED, 0);
    const whole = await answerTo(question('x.cut.example.test', TYPE.A));
    assert.equal(whole.flags & FLAG.TRUNCATED, 0);
    assert.equal(whole.additionals.length, 13);
  });

  it('for ANY must come by TCP', async () => {
    const byUdp = await answerTo(question('example.test', TYPE.ANY));
    assert.notEqual(byUdp.flags & FLAG.TRUNCATED, 0);
    const byTcp = await answerTo(question('example.test', TYPE.ANY), { ...stranger, transport: 'tcp' });
    assert.equal(byTcp.answers.length, 3);
  });

  it('is SERVFAIL where the source fails, and the fault is reported', async () => {
    const failure = new Error('the database is away');
    const reported: unknown[] = [];
    const broken = responder({
      source: { ...withCatalog(memory, 'c.test'), zoneOf: () => Promise.reject(failure) },
      access: transferAccess([], []),
      nowMs: () => NOW_MS,
      onFault: (error) => void reported.push(error),
    });
    const [answer] = await broken(encodeMessage(queryMessage('www.example.test', TYPE.A)), stranger);
    assert.equal(decodeMessage(answer!).rcode, RCODE.SERVFAIL);
    assert.deepEqual(reported, [failure]);
  });

  it('of 60,000 kinds of garbage is answered or dropped, and never a fault', async () => {
    const valid = [
      encodeMessage(queryMessage('www.example.test', TYPE.A)),
      encodeMessage({
        ...queryMessage('example.test', TYPE.IXFR),
        authorities: memory.wholeZone({ id: '', name: 'example.test' }).slice(0, 1),
      }),
      signMessage(encodeMessage(queryMessage('catalog.test', TYPE.AXFR)), key, { timeSeconds: NOW_MS / 1000 }).bytes,
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
    faults.length = 0;
    for (const garbage of fc.sample(fc.oneof(mutated, random), { numRuns: 60_000, seed: 5 })) {
      const peer: Peer = { ...secondary, transport: garbage.length % 2 ? 'udp' : 'tcp' };
      for (const answer of await respond(garbage, peer)) decodeMessage(answer);
    }
    assert.deepEqual(faults, []);
  });
});

describe('a zone transfer', () => {
  const axfr = question('example.test', TYPE.AXFR);
  const signed = (request: Partial<Message>, by: TsigKey, timeSeconds = NOW_MS / 1000) =>
    signMessage(encodeMessage({ ...queryMessage('example.test', TYPE.AXFR), ...request }), by, { timeSeconds });

  it('is given to a known address, between two SOA records', async () => {
    const [message] = await exchange(axfr, secondary);
    assert.equal(message!.answers[0]!.type, TYPE.SOA);
    assert.equal(message!.answers.at(-1)!.type, TYPE.SOA);
    assert.equal(message!.answers.length, 2 + 2 + 1 + 20 + 13 + 13);
    assert.equal((await answerTo(axfr, { address: '2001:db8::53', transport: 'tcp' })).rcode, RCODE.NOERROR);
  });

  it('is refused to a stranger, and for what is not a zone of ours', async () => {
    assert.equal((await answerTo(axfr, { ...stranger, transport: 'tcp' })).rcode, RCODE.REFUSED);
    assert.equal((await answerTo(question('www.example.test', TYPE.AXFR), secondary)).rcode, RCODE.NOTAUTH);
  });

  it('is given to the holder of a key, signed', async () => {
    const request = signed({}, key);
    const [bytes] = await respond(request.bytes, { ...stranger, transport: 'tcp' });
    const message = decodeMessage(bytes!);
    assert.equal(message.rcode, RCODE.NOERROR);
    const verified = verifyMessage(bytes!, message.tsig!, key, { nowSeconds: NOW_MS / 1000, priorMac: request.mac });
    assert.equal(verified, TSIG_ERROR.NONE);
  });

  it('with a wrong key, signature or time is NOTAUTH, also from a known address', async () => {
    const cases: [Buffer, number][] = [
      [signed({}, { ...key, name: 'other.test' }).bytes, TSIG_ERROR.BADKEY],
      [signed({}, { ...key, secret: Buffer.from('wrong') }).bytes, TSIG_ERROR.BADSIG],
      [signed({}, key, NOW_MS / 1000 - 1000).bytes, TSIG_ERROR.BADTIME],
    ];
    for (const [bytes, error] of cases) {
      const [answer] = await respond(bytes, secondary);
      const message = decodeMessage(answer!);
      assert.deepEqual([message.rcode, message.tsig?.error, message.answers.length], [RCODE.NOTAUTH, error, 0]);
    }
  });

  it('asked for incrementally is the SOA alone where nothing changed, else the whole zone', async () => {
    const since = (serial: number) => ({
      ...question('example.test', TYPE.IXFR),
      authorities: [rrset('example.test', 'SOA', `a.test b.test ${serial} 1 1 1 1`)],
    });
    assert.equal((await answerTo(since(5), secondary)).answers.length, 1);
    assert.ok((await answerTo(since(4), secondary)).answers.length > 2);
    assert.equal((await answerTo(since(4), { ...secondary, transport: 'udp' })).answers.length, 1);
  });

  it('of the catalog lists every zone; strangers cannot even ask about it', async () => {
    const [message] = await exchange(question('catalog.test', TYPE.AXFR), secondary);
    const owners = message!.answers.map((record) => record.name);
    assert.deepEqual(owners, [
      'catalog.test',
      'catalog.test',
      'version.catalog.test',
      'z2.zones.catalog.test',
      'catalog.test',
    ]);
    assert.equal((await answerTo(question('catalog.test', TYPE.SOA), secondary)).answers.length, 1);
    assert.equal((await answerTo(question('zones.catalog.test', TYPE.PTR), secondary)).rcode, RCODE.NOERROR);
    for (const name of ['catalog.test', 'z2.zones.catalog.test']) {
      assert.equal((await answerTo(question(name, TYPE.PTR))).rcode, RCODE.REFUSED);
    }
  });
});
