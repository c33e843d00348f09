import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '#test/support/until.ts';
import { SolLink } from './sol-link.ts';
import type { SolPacket } from './sol.ts';

const pace = { retransmitMs: 3, attempts: 50 };

interface End {
  link: SolLink;
  text(): string;
}

function connect(passes: (index: number) => number): { left: End; right: End } {
  let count = 0;
  const end = (other: () => SolLink): End => {
    let text = '';
    const link = new SolLink({
      send: (packet: SolPacket) => {
        for (let copy = passes(count++); copy > 0; copy--) setImmediate(() => other().receive(packet));
      },
      onData: (data) => (text += data.toString('latin1')),
      onBreak: () => (text += '<break>'),
      onSilence: () => (text += '<silence>'),
      maxCharacters: 16,
      pace,
    });
    return { link, text: () => text };
  };
  const left: End = end(() => right.link);
  const right: End = end(() => left.link);
  return { left, right };
}

describe('a serial link', () => {
  it('delivers everything both ways over a network that drops a third and duplicates a third', async () => {
    const { left, right } = connect((index) => (index * 7) % 3);
    const typed = Array.from({ length: 40 }, (_, index) => `line ${index}\r`);
    await Promise.all(
      typed.flatMap((line) => [left.link.write(Buffer.from(line)), right.link.write(Buffer.from(line))]),
    );
    await sleep(20);
    assert.equal(right.text(), typed.join(''));
    assert.equal(left.text(), typed.join(''));
    left.link.close();
    right.link.close();
  });

  it('keeps a break in order among the characters', async () => {
    const { left, right } = connect(() => 1);
    await Promise.all([left.link.write(Buffer.from('a')), left.link.sendBreak(), left.link.write(Buffer.from('b'))]);
    assert.equal(right.text(), 'a<break>b');
    left.link.close();
    right.link.close();
  });

  it('ends if nobody acknowledges', async () => {
    const { promise: silent, resolve: onSilence } = Promise.withResolvers<void>();
    const parts = { send: () => {}, onData: () => {}, onBreak: () => {}, onSilence, maxCharacters: 16 };
    const link = new SolLink({ ...parts, pace: { retransmitMs: 1, attempts: 3 } });
    await Promise.all([link.write(Buffer.from('lost')), silent]);
  });

  it('resends, with a new sequence number, what the other end could not accept', async () => {
    const sent: SolPacket[] = [];
    const parts = { onData: () => {}, onBreak: () => {}, onSilence: () => {}, maxCharacters: 16, pace };
    const link = new SolLink({ ...parts, send: (packet) => sent.push(packet) });
    const response = {
      sequence: 0,
      isBreak: false,
      isDeactivating: false,
      isUnavailable: false,
      data: Buffer.alloc(0),
    };
    const written = link.write(Buffer.from('abcdef'));
    link.receive({ ...response, acknowledged: 1, acceptedCharacters: 2, isNack: true });
    await until(() => sent.length >= 2);
    assert.equal(sent[1]?.sequence, 2);
    assert.equal(sent[1]?.data.toString(), 'cdef');
    // Some BMCs have no space, and send no NACK.
    const { length } = sent;
    link.receive({ ...response, acknowledged: 2, acceptedCharacters: 0, isNack: false });
    assert.equal(sent.length, length, 'the rest is sent only after a delay');
    await until(() => sent.length > length);
    assert.deepEqual([sent[length]?.sequence, sent[length]?.data.toString()], [3, 'cdef']);
    link.receive({ ...response, acknowledged: 3, acceptedCharacters: 4, isNack: false });
    await written;
    link.close();
  });
});
