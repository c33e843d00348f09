// Traffic of a month out of counters that begin anew.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { metered, movedThisMonth } from './machine-meter.ts';

const nothing = { traffic_month: 0, traffic_bytes: 0, counter_received: 0, counter_sent: 0 };
const november = Date.UTC(2026, 10, 15);
const december = Date.UTC(2026, 11, 1);

describe('the traffic of a machine', () => {
  it('counts what counters grew by, both ways', () => {
    const first = metered(nothing, { received: 100, sent: 50 }, november);
    const second = metered(first, { received: 160, sent: 90 }, november);
    assert.equal(movedThisMonth(second, november), 250);
  });

  it('goes on where a machine was started again and its counters began anew', () => {
    const first = metered(nothing, { received: 1000, sent: 1000 }, november);
    const second = metered(first, { received: 10, sent: 5 }, november);
    assert.equal(movedThisMonth(second, november), 2015);
  });

  it('begins anew with the month, whether or not somebody has counted since', () => {
    const first = metered(nothing, { received: 1000, sent: 0 }, november);
    assert.equal(movedThisMonth(first, december), 0);
    assert.equal(movedThisMonth(metered(first, { received: 1400, sent: 0 }, december), december), 400);
  });

  it('is what was moved, however often it is read, and however often the node cannot tell', () => {
    const step = fc.record({ received: fc.nat(1e6), sent: fc.nat(1e6), told: fc.boolean(), again: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const counters = { received: 0, sent: 0 };
        let moved = 0;
        let meter = nothing;
        for (const { received, sent, told, again } of steps) {
          counters.received += received;
          counters.sent += sent;
          moved += received + sent;
          meter = metered(meter, told ? counters : { received: undefined, sent: undefined }, november);
          if (again) meter = metered(meter, counters, november);
        }
        assert.equal(movedThisMonth(metered(meter, counters, november), november), moved);
      }),
    );
  });
});
