import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bytesThisMonth, readMachineMeter } from './machine-meter.ts';

const empty = { traffic_month: 0, traffic_bytes: 0, counter_received: 0, counter_sent: 0 };
const november = Date.UTC(2026, 10, 15);
const december = Date.UTC(2026, 11, 1);

describe("a virtual machine's traffic", () => {
  it('is the growth of both counters', () => {
    const first = readMachineMeter(empty, { received: 100, sent: 50 }, november);
    const second = readMachineMeter(first, { received: 160, sent: 90 }, november);
    assert.equal(bytesThisMonth(second, november), 250);
  });

  it('continues after a restart of the machine resets its counters', () => {
    const first = readMachineMeter(empty, { received: 1000, sent: 1000 }, november);
    const second = readMachineMeter(first, { received: 10, sent: 5 }, november);
    assert.equal(bytesThisMonth(second, november), 2015);
  });

  it('starts from zero each month, with or without a reading', () => {
    const first = readMachineMeter(empty, { received: 1000, sent: 0 }, november);
    assert.equal(bytesThisMonth(first, december), 0);
    assert.equal(bytesThisMonth(readMachineMeter(first, { received: 1400, sent: 0 }, december), december), 400);
  });

  it('does not depend on how often it is read or how often a reading fails', () => {
    const step = fc.record({
      received: fc.nat(1e6),
      sent: fc.nat(1e6),
      isRead: fc.boolean(),
      isRepeated: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const counters = { received: 0, sent: 0 };
        let bytes = 0;
        let meter = empty;
        for (const { received, sent, isRead, isRepeated } of steps) {
          counters.received += received;
          counters.sent += sent;
          bytes += received + sent;
          meter = readMachineMeter(meter, isRead ? counters : { received: undefined, sent: undefined }, november);
          if (isRepeated) meter = readMachineMeter(meter, counters, november);
        }
        assert.equal(bytesThisMonth(readMachineMeter(meter, counters, november), november), bytes);
      }),
    );
  });
});
