import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nextSerial, isNewerSerial } from './serial.ts';

describe('a zone serial', () => {
  it('follows the date if possible, and always increases', () => {
    const now = Date.UTC(2026, 10, 15);
    assert.equal(nextSerial(0, now), 2026111500);
    assert.equal(nextSerial(2026111500, now), 2026111501);
    assert.equal(nextSerial(2026120100, now), 2026120101);
    fc.assert(fc.property(fc.nat(0xffffffff), (serial) => assert.ok(isNewerSerial(nextSerial(serial, now), serial))));
  });

  it('wraps at 2^32', () => {
    assert.ok(isNewerSerial(0, 0xffffffff));
    assert.ok(!isNewerSerial(5, 5));
    assert.ok(!isNewerSerial(4, 5));
  });
});
