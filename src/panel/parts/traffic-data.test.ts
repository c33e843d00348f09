import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesText, packetsText, rateText } from './traffic-units.ts';
import { summarizeTraffic, hideUnmeasured, toTraffic, sliceTraffic } from './traffic-data.ts';

function samples(rates: readonly number[], marks: Readonly<Record<number, string>> = {}) {
  return rates.map((megabits, index) => ({
    start: String(1_800_000_000 + index * 300),
    inbytes: String((megabits * 1_000_000 * 300) / 8),
    outbytes: '0',
    marks: marks[index] ?? '',
  }));
}

describe('traffic data', () => {
  it('is in bits per second, with null for intervals without data', () => {
    const traffic = toTraffic(samples([8, 0, 16], { 1: 'missing' }));
    assert.deepEqual(traffic.inRates, [8_000_000, null, 16_000_000]);
    assert.deepEqual(traffic.starts, [1_800_000_000, 1_800_000_300, 1_800_000_600]);
  });

  it('has its 95th percentile by nearest rank over the measured intervals', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    assert.equal(summarizeTraffic(toTraffic(samples(hundred)))?.percentile, 95_000_000);
    const summary = summarizeTraffic(toTraffic(samples([...hundred, 5000], { 100: 'gap' })))!;
    assert.equal(summary.percentile, 95_000_000);
    assert.deepEqual([summary.in.peak, summary.ranked], [100_000_000, 100]);
    assert.equal(summary.in.bytes, ((5050 + 5000) * 1_000_000 * 300) / 8);
  });

  it('has no summary without data', () => {
    assert.equal(summarizeTraffic(toTraffic(samples([0, 0], { 0: 'missing', 1: 'missing' }))), undefined);
    assert.equal(summarizeTraffic(toTraffic([])), undefined);
  });

  it('hides unmeasured intervals in the graph but counts their bytes', () => {
    const traffic = toTraffic(samples([8, 1, 8], { 1: 'reset' }));
    assert.deepEqual(hideUnmeasured(traffic).inRates, [8_000_000, null, 8_000_000]);
    assert.equal(summarizeTraffic(traffic)?.in.bytes, (17 * 1_000_000 * 300) / 8);
  });

  it('merges adjacent attack intervals', () => {
    const { attacks } = toTraffic(samples([1, 1, 1, 1, 1], { 1: 'attack', 2: 'wrap attack', 4: 'attack' }));
    assert.deepEqual(attacks, [
      [1_800_000_300, 1_800_000_900],
      [1_800_001_200, 1_800_001_500],
    ]);
  });

  it('can be cut to the zoomed span', () => {
    const part = sliceTraffic(toTraffic(samples([1, 2, 3, 4])), 1_800_000_300, 1_800_000_600);
    assert.deepEqual(part.inRates, [2_000_000, 3_000_000]);
    assert.equal(summarizeTraffic(part)?.in.average, 2_500_000);
  });
});

describe('a traffic amount', () => {
  it('is formatted with a fitting unit', () => {
    assert.equal(rateText(0), '0 bit/s');
    assert.equal(rateText(98_172_766), '98.2 Mbit/s');
    assert.equal(rateText(999_999), '1.0 Mbit/s');
    assert.equal(rateText(3_296_000_000), '3.3 Gbit/s');
    assert.equal(packetsText(412_000), '412 k packets/s');
    assert.equal(bytesText(465_425_257_724), '465 GB');
  });
});
