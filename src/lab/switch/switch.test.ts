import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { snmpSwitchDriver } from '#drivers/switch/snmp/driver.ts';
import { PortMismatchError } from '#drivers/switch/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { type Meter, readMeter } from '#traffic/meter.ts';
import type { Sample } from '#traffic/series.ts';
import { ownLoopbackAddress } from '#test/support/ports.ts';
import { startLabSwitch } from './switch.ts';
import { labOctetsBetween } from './traffic.ts';

const startMs = Date.UTC(2026, 9, 14, 12);
const traffic = { seed: 3, inBitsPerSecond: 1e8, outBitsPerSecond: 4e8 };
const port = { ifIndex: 1, name: 'ge-0/0/1', alias: 'server1', speedBitsPerSecond: 1e9, traffic };
const reference = { ifIndex: 1, key: { by: 'name', value: port.name } } as const;
const neighbour = { ...port, ifIndex: 2, name: 'ge-0/0/2', alias: 'server2' };
const user = { name: 'lab-user', authPassword: 'authentication-1', privPassword: 'privacy-1' };

async function startPair(version: '2c' | '3' = '2c', at: { address?: string; port?: number; timeoutMs?: number } = {}) {
  const clock = { ms: startMs, now: () => clock.ms };
  const communities = { readWrite: 'lab-rw', readOnly: 'lab-ro' };
  const lab = await startLabSwitch({ ports: [port, neighbour], communities, user, clock, ...at });
  const place = { address: lab.address, port: lab.port, timeoutMs: at.timeoutMs ?? 5_000 };
  const device = await snmpSwitchDriver.open(
    version === '2c'
      ? { ...place, version, community: communities.readWrite }
      : {
          ...place,
          version,
          username: user.name,
          authentication: { protocol: 'SHA256', password: user.authPassword },
          privacy: { protocol: 'AES', password: user.privPassword },
        },
  );
  const stack = new AsyncDisposableStack();
  stack.use(lab);
  stack.use(device);
  return { clock, lab, device, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const deadline = () => AbortSignal.timeout(60_000);

describe("the lab's switch", () => {
  it('counts exactly the traffic of the elapsed time', async () => {
    await using pair = await startPair();
    pair.clock.ms += 3_600_000;
    const { ports, upTimeTicks } = await pair.device.counters([], deadline());
    const passed = labOctetsBetween(traffic, startMs, startMs + 3_600_000);
    const { inOctets, outOctets } = ports[0]!;
    assert.deepEqual([inOctets, outOctets], [BigInt(passed.in), BigInt(passed.out)]);
    assert.equal(upTimeTicks, 360_000);
  });

  it('loses the link when a port is disabled, and carries no traffic until it is back', async () => {
    await using pair = await startPair();
    const disabled = await pair.device.setAdmin(reference, 'down', deadline());
    assert.deepEqual([disabled.adminStatus, disabled.operStatus], ['down', 'down']);
    const whileDisabled = await pair.device.counters([], deadline());
    pair.clock.ms += 600_000;
    assert.deepEqual((await pair.device.counters([], deadline())).ports[0], whileDisabled.ports[0]);
    const enabled = await pair.device.setAdmin(reference, 'up', deadline());
    assert.deepEqual([enabled.adminStatus, enabled.operStatus], ['up', 'down']);
    pair.clock.ms += 1_000;
    assert.equal((await pair.device.port(reference, deadline())).operStatus, 'up');
    pair.clock.ms += 600_000;
    const afterEnabling = await pair.device.counters([], deadline());
    assert.ok(afterEnabling.ports[0]!.outOctets > whileDisabled.ports[0]!.outOctets);
  });

  it('is metered without a spike after cleared counters or a restart', async () => {
    await using pair = await startPair();
    let meter: Meter | undefined;
    const samples: Sample[] = [];
    for (let interval = 0; interval <= 12; interval++) {
      const { upTimeTicks, ports } = await pair.device.counters([], deadline());
      const { counterBits, inOctets, outOctets } = ports[0]!;
      const reading = { atMs: pair.clock.ms, upTimeTicks, inOctets, outOctets };
      const result = readMeter(meter, reading, { counterBits, speedBitsPerSecond: port.speedBitsPerSecond });
      meter = result.meter;
      samples.push(...result.samples);
      pair.clock.ms += 150_000;
      if (interval === 3) pair.lab.clearCounters();
      if (interval === 7) pair.lab.restart();
      pair.clock.ms += 150_000;
    }
    for (const [index, { start, inBytes, marks }] of samples.entries()) {
      const truth = labOctetsBetween(traffic, start * 1000, (start + 300) * 1000).in;
      const isLost = index === 3 || index === 7;
      assert.equal(marks === 0, !isLost);
      assert.ok(Math.abs(inBytes - (isLost ? 0 : truth)) <= 4);
    }
    assert.equal(samples.length, 12);
  });

  it('can be silent or slow', async () => {
    await using pair = await startPair();
    pair.lab.setMalfunctions({ isSilent: true });
    await assert.rejects(pair.device.port(reference, AbortSignal.timeout(50)), (error: unknown) => {
      return error instanceof ApiError && error.code === 'switch_unreachable';
    });
    pair.lab.setMalfunctions({ responseDelayMs: 30 });
    assert.equal((await pair.device.port(reference, deadline())).name, 'ge-0/0/1');
  });

  it('can be slower than most, if its model has time', async () => {
    await using pair = await startPair();
    const { address, port: at } = pair.lab;
    pair.lab.setMalfunctions({ responseDelayMs: 150 });
    const settings = { version: '2c', address, port: at, community: 'lab-rw' } as const;
    const read = async (responseMs: number): Promise<string> => {
      await using device = await snmpSwitchDriver.open(settings, { responseMs, commandMs: 8000 });
      return (await device.setAdmin(reference, 'down', deadline())).name;
    };
    await assert.rejects(read(60), { code: 'switch_unreachable' });
    assert.equal(await read(6000), 'ge-0/0/1');
  });

  it('keeps its other ports as they are if it renumbers them while a command is on its way', async () => {
    for (const version of ['2c', '3'] as const) {
      await using pair = await startPair(version, { timeoutMs: 200 });
      pair.lab.setMalfunctions({ restartsOnWrite: [1, 2] });
      await assert.rejects(pair.device.setAdmin(reference, 'down', deadline()), PortMismatchError);
      assert.deepEqual(
        [...pair.lab.ports.values()].map(({ name, adminStatus }) => [name, adminStatus]),
        [
          ['ge-0/0/2', 'up'],
          ['ge-0/0/1', 'up'],
        ],
      );
    }
  });

  it('is found again by a v3 client after it was replaced', async () => {
    // So that no other test takes the port in between.
    const address = ownLoopbackAddress();
    await using first = await startPair('3', { address });
    await first.device.port(reference, deadline());
    await first.lab.close();
    await using second = await startPair('2c', { address, port: first.lab.port });
    assert.equal(second.lab.port, first.lab.port);
    assert.equal((await first.device.port(reference, deadline())).name, 'ge-0/0/1');
  });
});

describe("the lab's traffic", () => {
  it('is deterministic, higher by day than by night, and never more than twice its level', () => {
    const day = Date.UTC(2026, 9, 14);
    const hour = (at: number) => labOctetsBetween(traffic, day + at * 3_600_000, day + (at + 1) * 3_600_000).out;
    assert.equal(hour(14), hour(14));
    assert.ok(hour(14) > 2 * hour(2));
    for (let slot = 0; slot < 2_000; slot++) {
      const { out } = labOctetsBetween(traffic, day + slot * 300_000, day + (slot + 1) * 300_000);
      assert.ok(out > 0 && out * 8 < traffic.outBitsPerSecond * 300 * 2.4);
    }
  });
});
