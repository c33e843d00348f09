// Debian's snmpd as a switch, with Linux as the witness: disabling a port really removes the carrier from its far end,
// and real traffic gives the right bytes, average and 95th percentile.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { referenceOf } from '#drivers/switch/conformance.ts';
import { hasKey, PortMismatchError, type PortKey, type Switch } from '#drivers/switch/driver.ts';
import { snmpSwitchDriver } from '#drivers/switch/snmp/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { type Meter, readMeter } from '#traffic/meter.ts';
import { emptySeries, putSamples } from '#traffic/series.ts';
import { computeStatistics } from '#traffic/statistics.ts';
import { needs } from '#test/support/needs.ts';
import { needsSnmpd, type Snmpd, type SnmpdPort, startSnmpd } from '#test/support/snmpd.ts';
import { until } from '#test/support/until.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('snmpd as a switch', needsSnmpd(), () => {
  const owned = suiteResources();
  let snmpd: Snmpd;
  let device: Switch;
  const deadline = () => AbortSignal.timeout(60_000);
  const user = (username: string, protocol: 'SHA' | 'SHA256', privacy: 'AES' | 'AES256' | 'AES256C' = 'AES') => ({
    address: snmpd.address,
    version: '3' as const,
    username,
    authentication: { protocol, password: snmpd.authPassword },
    privacy: { protocol: privacy, password: snmpd.privPassword },
  });
  before(async () => {
    snmpd = owned.use(await startSnmpd());
    device = owned.use(await snmpSwitchDriver.open(user(snmpd.users.sha256, 'SHA256')));
  });

  it('takes the Linux interface down, and the carrier from its far end', async () => {
    const [port, other] = snmpd.ports;
    await device.setAdmin(referenceOf(port!), 'down', deadline());
    assert.equal((await snmpd.link(port!)).isUp, false);
    assert.equal(await snmpd.farEndHasCarrier(port!), false);
    assert.equal(await snmpd.farEndHasCarrier(other!), true);
    await device.setAdmin(referenceOf(port!), 'up', deadline());
    assert.equal((await snmpd.link(port!)).isUp, true);
    assert.equal(await snmpd.farEndHasCarrier(port!), true);
  });

  it('measures a known traffic pattern: bytes, average and 95th percentile', async () => {
    const port = snmpd.ports[1]!;
    // 18 of 21 intervals are idle: the highest is above the 95th percentile, the second is it.
    const pattern = Array.from({ length: 21 }, () => ({ count: 0, bytes: 0 }));
    pattern[3] = { count: 40, bytes: 1_000 };
    pattern[11] = { count: 90, bytes: 1_400 };
    pattern[17] = { count: 10, bytes: 300 };

    const start = Date.UTC(2026, 9, 31) / 1000;
    const series = emptySeries(start, start + pattern.length * 300);
    let meter: Meter | undefined;
    // The meter is given times five minutes apart; the counters are the switch's.
    const readAt = async (interval: number) => {
      const { ports } = await device.counters([], deadline());
      const { inOctets, outOctets } = ports.find(({ ifIndex }) => ifIndex === port.ifIndex)!;
      const reading = { atMs: (start + interval * 300) * 1000, upTimeTicks: interval * 30_000, inOctets, outOctets };
      const result = readMeter(meter, reading, { counterBits: 64, speedBitsPerSecond: port.speedBitsPerSecond });
      meter = result.meter;
      putSamples(series, result.samples);
    };
    await untilCounted(port);
    await readAt(0);
    for (const [interval, { count, bytes }] of pattern.entries()) {
      if (count > 0) {
        await snmpd.sendInto(port, { count, bytes });
        await untilCounted(port);
      }
      await readAt(interval + 1);
    }

    const sent = pattern.map(({ count, bytes }) => count * bytes);
    assert.deepEqual([...series.inBytes], sent);
    const total = 40_000 + 126_000 + 3_000;
    const { inBytes, outBytes, inAverageBitsPerSecond, percentile } = computeStatistics(series, { attacks: 'count' });
    assert.equal(inBytes, total);
    assert.equal(outBytes, 0);
    assert.equal(inAverageBitsPerSecond, Math.round((total * 8) / (21 * 300)));
    assert.equal(percentile.bitsPerSecond, Math.round((40_000 * 8) / 300));
  });

  it('is read through its 32-bit counters if it has no others', async () => {
    const { address, oldCommunity: community } = snmpd;
    await using old = await snmpSwitchDriver.open({ address, version: '2c', community });
    const { ports } = await old.counters([], deadline());
    assert.ok(ports.every(({ counterBits }) => counterBits === 32));
    assert.equal(ports.length, (await device.counters([], deadline())).ports.length);
    const { name, alias } = await old.port(referenceOf(snmpd.ports[0]!), deadline());
    assert.deepEqual([name, alias], [snmpd.ports[0]!.name, '']);
  });

  it('is read with either way to extend a key to 256 bits, and not with the other', async () => {
    const { blumenthal, reeder } = snmpd.users;
    for (const [username, privacy, other] of [
      [blumenthal, 'AES256', 'AES256C'],
      [reeder, 'AES256C', 'AES256'],
    ] as const) {
      await using right = await snmpSwitchDriver.open(user(username, 'SHA', privacy));
      assert.equal(
        (await right.ports(deadline())).some(({ name }) => name === 'p1'),
        true,
      );
      const settings = { ...user(username, 'SHA', other), timeoutMs: 100 };
      await using wrong = await snmpSwitchDriver.open(settings);
      await assert.rejects(wrong.ports(deadline()), ApiError);
    }
  });

  it('has ports without 64-bit counters, which are read through the others', async () => {
    const { address, mixedCommunity: community } = snmpd;
    await using mixed = await snmpSwitchDriver.open({ address, version: '2c', community });
    const [first, second] = snmpd.ports.map(({ name }) => ({ by: 'name', value: name }) as const);
    const bitsOf = async (wanted: readonly PortKey[]) => {
      const { ports } = await mixed.counters(wanted, deadline());
      return new Map(ports.map(({ name, counterBits }) => [name, counterBits]));
    };
    const bits = await bitsOf([first!, second!]);
    assert.deepEqual([bits.get(first!.value), bits.get(second!.value), bits.get('p3')], [64, 32, 64]);
    assert.equal((await bitsOf([first!])).get(second!.value), undefined);
  });

  it('is read by the descriptions of its ports if they have no names', async () => {
    const { address, namelessCommunity: community } = snmpd;
    await using nameless = await snmpSwitchDriver.open({ address, version: '2c', community });
    const { description } = (await device.ports(deadline())).find(
      ({ ifIndex }) => ifIndex === snmpd.ports[0]!.ifIndex,
    )!;
    for (const key of [
      { by: 'name', value: description },
      { by: 'description', value: description },
    ] as const) {
      const { ports } = await nameless.counters([key], deadline());
      const found = ports.filter((port) => hasKey(port, key));
      assert.deepEqual(
        found.map(({ ifIndex, counterBits }) => [ifIndex, counterBits]),
        [[snmpd.ports[0]!.ifIndex, 64]],
      );
    }
  });

  it('reports the neighbours that lldpd hears', needs('lldpd', 'lldpcli'), async () => {
    await using lldp = await snmpd.startLldp();
    const expected = await Promise.all(
      snmpd.ports.map(async (port) => ({ ifIndex: port.ifIndex, mac: await snmpd.farMac(port) })),
    );
    const neighbours = () => device.neighbours(deadline());
    const hasAll = async () => {
      await lldp.announce();
      return (await neighbours()).length === expected.length;
    };
    await until(hasAll, { saw: neighbours });
    const seen = await neighbours();
    for (const { ifIndex, mac } of expected)
      assert.ok(seen.find((neighbour) => neighbour.ifIndex === ifIndex)?.macs.includes(mac), JSON.stringify(seen));
    assert.ok(
      seen.every(({ system }) => system !== ''),
      JSON.stringify(seen),
    );
  });

  it('reports its description, and the state and errors of its ports', async () => {
    const { description, ports } = await device.inspect(deadline());
    assert.match(description, /^Linux/);
    for (const { ifIndex, name } of snmpd.ports) {
      const port = ports.find((each) => each.ifIndex === ifIndex)!;
      assert.deepEqual([port.name, port.adminStatus, port.inErrors], [name, 'up', 0]);
      assert.ok(
        [port.outErrors, port.inDiscards, port.outDiscards].every((count) => count !== undefined && count >= 0),
      );
    }
  });

  it('is never mistaken in a port when it renumbers them', async () => {
    const [first, second] = snmpd.ports;
    const before = await device.counters([], deadline());
    await snmpd.renumber();
    assert.deepEqual([snmpd.ports[0]!.ifIndex, snmpd.ports[1]!.ifIndex], [second!.ifIndex, first!.ifIndex]);
    await assert.rejects(device.port(referenceOf(first!), deadline()), PortMismatchError);
    await assert.rejects(device.setAdmin(referenceOf(first!), 'down', deadline()), PortMismatchError);
    for (const port of snmpd.ports) assert.equal((await snmpd.link(port)).isUp, true);
    const after = await device.counters([], deadline());
    assert.ok(after.upTimeTicks < before.upTimeTicks);
    assert.equal(after.ports.find(({ name }) => name === first!.name)!.ifIndex, second!.ifIndex);
    await device.setAdmin(referenceOf(snmpd.ports[0]!), 'down', deadline());
    assert.equal((await snmpd.link(first!)).isUp, false);
    assert.equal((await snmpd.link(second!)).isUp, true);
  });

  it('is found again after a restart, also in v3, and reports that it restarted', async () => {
    await using other = await snmpSwitchDriver.open(user(snmpd.users.sha, 'SHA'));
    const startMs = performance.now();
    const before = await other.counters([], deadline());
    await snmpd.restart();
    const after = await other.counters([], deadline());
    // It has been up for no longer than since before the restart.
    assert.ok(after.upTimeTicks * 10 <= performance.now() - startMs, `${after.upTimeTicks} ticks`);
    assert.equal(after.ports.length, before.ports.length);
  });

  /** snmpd refreshes its interfaces only now and then; Linux knows at once. */
  async function untilCounted(port: SnmpdPort): Promise<void> {
    const { inBytes } = await snmpd.link(port);
    const counted = async () =>
      (await device.counters([], deadline())).ports.find(({ ifIndex }) => ifIndex === port.ifIndex)?.inOctets;
    await until(async () => (await counted()) === BigInt(inBytes), { saw: counted });
  }
});
