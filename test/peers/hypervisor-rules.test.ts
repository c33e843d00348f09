// The rules for hypervisors that Hostyard ships, in the kernel of the test machine: two ports of machines and an uplink on a
// bridge in a network namespace, without a hypervisor.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runAtEnd } from '#test/support/at-end.ts';
import * as frames from '#test/support/frames.ts';
import { startCapture, type Capture } from '#test/support/frames.ts';
import { needsRoot } from '#test/support/needs.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

const rules = fileURLToPath(new URL('../../packaging/hypervisor.nft', import.meta.url));
const run = promisify(execFile);
const ip = (...args: string[]): Promise<unknown> => run('ip', args);

const first = { mac: '52:54:00:00:00:01', ip: '2001:db8:a::10' };
const second = { mac: '52:54:00:00:00:02', ip: '2001:db8:b::20' };

// In sequence, because they share the rules.
describe('the rules for hypervisors', { ...needsRoot('nft', 'ip', 'perl'), concurrency: 1 }, () => {
  const owned = suiteResources();
  const id = randomInt(36 ** 6).toString(36);
  const [namespace, uplink, machine, other] = [`hy${id}rules`, `hyu${id}`, `hya${id}`, `hyo${id}`];
  const inside = (...command: string[]): Promise<unknown> => ip('netns', 'exec', namespace, ...command);
  let capture: Capture;
  before(async () => {
    owned.defer(runAtEnd(`ip netns delete ${namespace}`));
    await ip('netns', 'add', namespace);
    // Loaded before there is a bridge, as at boot. The kernel's own hook, which hands frames to the rules of IPv6, is added with
    // the first bridge, and skips whatever has its priority and was there before.
    await inside('nft', '-f', rules);
    await ip('-n', namespace, 'link', 'add', 'bridge', 'up', 'type', 'bridge', 'mcast_snooping', '0');
    for (const [link, port] of Object.entries({ [uplink]: 'uplink', [machine]: 'veth1', [other]: 'vnet2' })) {
      await ip('link', 'add', link, 'up', 'type', 'veth', 'peer', 'name', port, 'netns', namespace);
      await ip('-n', namespace, 'link', 'set', port, 'master', 'bridge', 'up');
    }
    capture = owned.use(await startCapture(uplink));
  });
  let serial = 0;
  /** Sends frames, and then one that arrives: so the others have, unless they were dropped. */
  const send = async (link: string, ...sent: Buffer[]): Promise<void> => {
    const last = frames.udp4({ ...first, ip: '192.0.2.10' }, `203.0.113.${++serial}`, [4000, 4000]);
    await frames.sendFrames(link, [...sent, last]);
    await until(() => capture.has(uplink, last));
  };

  it('let a machine announce its own addresses, and no other', async () => {
    const [own, forged] = [first.ip, second.ip].map((target) => frames.neighbourAdvertisement(first, target));
    await send(machine, own!, frames.behindOptions(own!), forged!, frames.behindOptions(forged!));
    assert.ok(capture.has(uplink, own!));
    assert.ok(capture.has(uplink, frames.behindOptions(own!)));
    assert.ok(!capture.has(uplink, forged!));
    assert.ok(!capture.has(uplink, frames.behindOptions(forged!)));
  });

  it('drop the beginning of what hides in fragments, and pass other fragments', async () => {
    const forged = frames.neighbourAdvertisement(first, second.ip);
    const router = frames.routerAdvertisement(first);
    const [datagram] = frames.inFragments(frames.udp6(first, [4000, 4000]));
    const beginnings = [forged, frames.behindOptions(forged), router].map((sent) => frames.inFragments(sent)[0]!);
    await send(machine, ...beginnings, datagram!);
    assert.deepEqual(
      beginnings.map((sent) => capture.has(uplink, sent)),
      [false, false, false],
    );
    assert.ok(capture.has(uplink, datagram!));
  });

  it('keep a machine that announces thousands of addresses from silencing the others', async () => {
    const addresses = Array.from({ length: 400 }, (_, index) => ({
      ...first,
      ip: `2001:db8:a::${index.toString(16)}`,
    }));
    const flood = addresses.map((sender) => frames.neighbourAdvertisement(sender, sender.ip));
    await send(machine, ...flood);
    const passed = flood.filter((sent) => capture.has(uplink, sent));
    assert.ok(passed.length > 0 && passed.length < flood.length, `${passed.length} passed`);
    const honest = frames.neighbourAdvertisement(second, second.ip);
    await send(other, honest);
    assert.ok(capture.has(uplink, honest));
  });

  it('do not believe a sender whom LXD drops, whichever rules were loaded first', async () => {
    // As LXD adds them when a container starts.
    const chain = (hook: string): string =>
      `chain ${hook} { type filter hook ${hook} priority 0; iifname veth1 ip6 saddr != ${first.ip} drop; };`;
    await inside('nft', `table bridge lxd { ${chain('forward')} ${chain('input')} }`);
    await inside('nft', '-f', rules);
    const dropped = frames.neighbourAdvertisement({ ...first, ip: second.ip }, second.ip);
    const forged = frames.neighbourAdvertisement(first, second.ip);
    await send(machine, dropped, forged);
    assert.deepEqual(
      [dropped, forged].map((sent) => capture.has(uplink, sent)),
      [false, false],
    );
  });
});
