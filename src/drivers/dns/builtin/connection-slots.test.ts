import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConnectionSlots } from './connection-slots.ts';

describe('the slots for connections', () => {
  function open(maxConnections: number, maxConnectionsPerPrefix: number) {
    const slots = new ConnectionSlots({ maxConnections, maxConnectionsPerPrefix });
    const evicted: string[] = [];
    return { evicted, connect: (address: string) => slots.acquire(address, () => void evicted.push(address)) };
  }

  it('of a network are limited: its longest idle connection makes room', () => {
    const { evicted, connect } = open(10, 2);
    const first = connect('192.0.2.1');
    connect('192.0.2.2');
    connect('198.51.100.1');
    first!.setBusy(true);
    first!.setBusy(false);
    assert.ok(connect('192.0.2.3'));
    assert.ok(connect('192.0.2.4'));
    assert.deepEqual(evicted, ['192.0.2.2', '192.0.2.1']);
  });

  it('of busy connections are not taken away', () => {
    const { evicted, connect } = open(10, 1);
    const busy = connect('2001:db8::1');
    busy!.setBusy(true);
    assert.equal(connect('2001:db8::2'), undefined);
    busy!.release();
    assert.ok(connect('2001:db8::3'));
    assert.deepEqual(evicted, []);
  });

  it('are limited in total, and idle connections keep nobody out', () => {
    const { evicted, connect } = open(3, 2);
    for (const network of [1, 2, 3]) connect(`192.0.${network}.1`);
    assert.ok(connect('198.51.100.1'));
    assert.deepEqual(evicted, ['192.0.1.1']);
  });
});
