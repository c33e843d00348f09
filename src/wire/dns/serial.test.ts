import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nextSerial, serialIsNewer } from './serial.ts';

describe('a zone serial', () => {
  it('follows the date while it can, and always goes forward', () => {
    const now = Date.UTC(2026, 10, 15);
    assert.equal(nextSerial(0, now), 2026111500);
    assert.equal(nextSerial(2026111500, now), 2026111501);
    assert.equal(nextSerial(2026120100, now), 2026120101);
    fc.assert(fc.property(fc.nat(0xffffffff), (serial) => assert.ok(serialIsNewer(nextSerial(serial, now), serial))));
  });

  it('goes round at 2^32', () => {
    assert.ok(serialIsNewer(0, 0xffffffff));
    assert.ok(!serialIsNewer(5, 5));
    assert.ok(!serialIsNewer(4, 5));
  });
});
