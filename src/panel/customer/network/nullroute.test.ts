import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nullrouteReason, nullrouteState, sortNullroutes } from './nullroute.ts';

const route = (active: '0' | '1', start: string, end: string) =>
  ({ server: 'dc01r01ds01', ip: '203.0.113.10', reason: '', active, start, end }) as const;

describe('a null route', () => {
  it('has a state that compares what was requested with what the router has', () => {
    assert.equal(nullrouteState(route('1', '10', '0'), 50), 'Active');
    assert.equal(nullrouteState(route('1', '10', '90'), 50), 'Active');
    assert.equal(nullrouteState(route('1', '10', '40'), 50), 'Removing');
    assert.equal(nullrouteState(route('0', '10', '0'), 50), 'Pending');
    assert.equal(nullrouteState(route('0', '10', '40'), 50), 'Ended');
  });

  it('that has ended is listed last', () => {
    const [oldest, ended, active] = [route('0', '10', '20'), route('0', '30', '40'), route('1', '5', '0')];
    assert.deepEqual(sortNullroutes([oldest, ended, active], 50), [active, ended, oldest]);
  });

  it('of the attack policy names the attack as a person does, and another one has its own reason', () => {
    assert.equal(nullrouteReason('Attack: udp_flood'), 'Attack: UDP flood');
    assert.equal(nullrouteReason('Attack'), 'Attack');
    assert.equal(nullrouteReason('Attack on the shop'), 'Attack on the shop');
  });
});
