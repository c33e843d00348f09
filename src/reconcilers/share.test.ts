import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findOwner } from './share.ts';

const devices = Array.from({ length: 200 }, (_, index) => `dc01sw${String(index).padStart(3, '0')}`);

describe('devices', () => {
  it('are divided evenly, and stay with their instance if another one joins or leaves', () => {
    const before = new Map(devices.map((device) => [device, findOwner(device, ['a', 'b', 'c'])]));
    for (const instance of ['a', 'b', 'c']) {
      const count = [...before.values()].filter((owner) => owner === instance).length;
      assert.ok(count > 40 && count < 95, `${instance} has ${count} of 200`);
    }
    for (const [device, owner] of before) if (owner !== 'b') assert.equal(findOwner(device, ['a', 'c']), owner);
  });
});
