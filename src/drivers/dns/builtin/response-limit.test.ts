import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PeerAddress, prefixOf } from './peer-address.ts';
import { createResponseLimit, type Verdict } from './response-limit.ts';

describe('the network of an address', () => {
  it('is its /24 or its /56', () => {
    const same = [
      ['192.0.2.1', '192.0.2.254'],
      ['2001:db8:1:200::1', '2001:db8:1:2ff:1:2:3:4'],
      ['2001:db8::1', '2001:db8:0:00ff::'],
      ['::1', '::2:3'],
      ['1::2:3:4:5:6:7', '1:0:2:3::'],
      ['fe80::1%eth0', 'fe80::2%eth1'],
    ] as const;
    for (const [one, other] of same) assert.equal(prefixOf(one), prefixOf(other), `${one} and ${other}`);
    const different = [
      ['192.0.2.1', '192.0.3.1'],
      ['2001:db8:1:200::1', '2001:db8:1:300::1'],
      ['2001:db8::1', '2001:db8:0:100::1'],
      ['1::2:3:4:5:6:7', '1::'],
    ] as const;
    for (const [one, other] of different) assert.notEqual(prefixOf(one), prefixOf(other), `${one} and ${other}`);
  });
});

function peer(text: string): PeerAddress {
  const address = new PeerAddress();
  address.readText(text);
  return address;
}

function take(count: number, verdict: () => Verdict): Record<Verdict, number> {
  const verdicts = { answer: 0, truncate: 0, drop: 0 };
  for (let taken = 0; taken < count; taken++) verdicts[verdict()]++;
  return verdicts;
}

describe('the response limit', () => {
  it('truncates every second response above it, and drops the others', () => {
    const limit = createResponseLimit(10);
    assert.deepEqual(
      take(100, () => limit(peer('192.0.2.1'), 0)),
      { answer: 20, truncate: 40, drop: 40 },
    );
    assert.equal(limit(peer('192.0.2.77'), 0), 'truncate', 'the same network');
    assert.equal(limit(peer('192.0.3.1'), 0), 'answer', 'another network');
  });

  it('lets as many through in every second, and saves up for two', () => {
    const limit = createResponseLimit(10);
    for (const atMs of [0, 1000, 2000, 60_000]) {
      const { answer } = take(100, () => limit(peer('2001:db8::1'), atMs));
      assert.equal(answer, atMs === 0 || atMs === 60_000 ? 20 : 10, `at ${atMs} ms`);
    }
  });

  it('remembers a network that keeps sending, however many others are forged', () => {
    const limit = createResponseLimit(1);
    const flood = take(10, () => limit(peer('192.0.2.1'), 0));
    assert.equal(flood.answer, 2);
    for (let forged = 0; forged < 10_000; forged++) {
      assert.equal(limit(peer(`${forged >> 16}.${(forged >> 8) & 255}.${forged & 255}.1`), 0), 'answer');
      if (forged % 1000 === 0) assert.notEqual(limit(peer('192.0.2.1'), 0), 'answer', `after ${forged} others`);
    }
  });
});
