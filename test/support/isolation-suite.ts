// The part of the hypervisor conformance suite that needs a network: two machines on one bridge, and an uplink. One machine
// forges everything that would let it pose as the other, and nothing of that arrives, at the other or at the uplink. As a
// control, each forged frame does arrive when it comes from a port without a filter.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Hypervisor, MachineShape } from '#drivers/hypervisor/driver.ts';
import * as frames from './frames.ts';
import { startCapture, type Capture, type Sender } from './frames.ts';
import type { SuiteOptions } from './needs.ts';
import { suiteResources } from './suite-resources.ts';
import { until } from './until.ts';

export interface IsolationFixture extends AsyncDisposable {
  readonly hypervisor: Hypervisor;
  readonly template: string;
  readonly shape: Omit<MachineShape, 'mac' | 'networks'>;
  /** A link that leads to the bridge through a port without a filter, and passes on what arrives there. */
  readonly uplink: string;
  /** The machine's port of the bridge. */
  port(name: string): Promise<string>;
  /** Sends frames as the system of this machine. */
  send(name: string, sent: readonly Buffer[]): Promise<void>;
  /** Removes the machine's filter without the driver. */
  removeFilter(name: string): Promise<void>;
  /** The names of all filters on the hypervisor. */
  filters(): Promise<string>;
  /** Frames that a system needs to find its place in a network, if the hypervisor lets them pass the bridge. */
  readonly passesQuestions: boolean;
}

const [attacker, victim] = ['vm-1', 'vm-2'];
const macs = { attacker: '52:54:00:00:00:01', victim: '52:54:00:00:00:02' } as const;
const networks = {
  attacker: ['192.0.2.10/32', '198.51.100.8/29', '2001:db8:a::/64'],
  victim: ['192.0.2.20/32', '2001:db8:b::/64'],
};
const own4: Sender = { mac: macs.attacker, ip: '192.0.2.10' };
const own6: Sender = { mac: macs.attacker, ip: '2001:db8:a::10' };
const linkLocal: Sender = { mac: macs.attacker, ip: 'fe80::5054:ff:fe00:1' };
const [victim4, victim6, gateway] = ['192.0.2.20', '2001:db8:b::20', '192.0.2.1'];
const ports = [4000, 4001] as const;

const forged: Readonly<Record<string, Buffer>> = {
  'another MAC address': frames.udp4({ ...own4, mac: macs.victim }, gateway, ports),
  "an ARP reply for the other's address": frames.arp('reply', macs.attacker, { ...own4, ip: victim4 }, gateway),
  "an ARP request in the other's name": frames.arp('request', macs.attacker, { ...own4, ip: victim4 }, gateway),
  'an ARP reply with another MAC address': frames.arp('reply', macs.attacker, { ...own4, mac: macs.victim }, gateway),
  'another IPv4 address': frames.udp4({ ...own4, ip: victim4 }, gateway, ports),
  'another IPv4 address in a VLAN': frames.taggedUdp4({ ...own4, ip: victim4 }, gateway, [4002, 4003]),
  'another IPv6 address': frames.udp6({ ...own6, ip: victim6 }, ports),
  "a neighbour advertisement in the other's name": frames.neighbourAdvertisement({ ...own6, ip: victim6 }, victim6),
  "a neighbour advertisement of the other's address": frames.neighbourAdvertisement(own6, victim6),
  "a neighbour advertisement of the other's address behind an extension header": frames.behindOptions(
    frames.neighbourAdvertisement(own6, victim6),
  ),
  "the beginning of a neighbour advertisement of the other's address": frames.inFragments(
    frames.neighbourAdvertisement(own6, victim6),
  )[0]!,
  'a router advertisement': frames.routerAdvertisement(linkLocal),
  'a router advertisement behind an extension header': frames.behindOptions(frames.routerAdvertisement(linkLocal)),
  'a reply of a DHCP server': frames.udp4(own4, '255.255.255.255', [67, 68]),
  'a reply of a DHCPv6 server': frames.udp6(linkLocal, [547, 546]),
};
const legitimate: Readonly<Record<string, Buffer>> = {
  ARP: frames.arp('request', macs.attacker, own4, gateway),
  IPv4: frames.udp4(own4, gateway, ports),
  'IPv4 of a block': frames.udp4({ ...own4, ip: '198.51.100.14' }, gateway, ports),
  IPv6: frames.udp6(own6, ports),
  'a neighbour advertisement': frames.neighbourAdvertisement(own6, own6.ip),
};
const questions: Readonly<Record<string, Buffer>> = {
  'a DHCP request': frames.udp4({ ...own4, ip: '0.0.0.0' }, '255.255.255.255', [68, 67]),
  'an ARP probe': frames.arp('request', macs.attacker, { ...own4, ip: '0.0.0.0' }, own4.ip),
  'duplicate address detection': frames.duplicateAddressProbe(macs.attacker, own6.ip),
  'a multicast listener report': frames.listenerReport(macs.attacker),
  'a DHCPv6 request': frames.udp6(linkLocal, [546, 547]),
};

const patience = (): AbortSignal => AbortSignal.timeout(120_000);

export function describeIsolation(title: string, options: SuiteOptions, start: () => Promise<IsolationFixture>): void {
  // In sequence, because they share two machines.
  describe(title, { ...options, concurrency: 1 }, () => {
    const owned = suiteResources();
    let fixture: IsolationFixture;
    let capture: Capture;
    let victimPort: string;
    let serial = 0;
    before(async () => {
      fixture = owned.use(await start());
      const { machines, power } = fixture.hypervisor;
      const system = {
        template: fixture.template,
        rootPassword: 'password',
        addresses: [],
        nameServers: [],
        sshKeys: [],
      };
      for (const [name, mac, allowed] of [
        [attacker, macs.attacker, networks.attacker],
        [victim, macs.victim, networks.victim],
      ] as const) {
        const shape = { ...fixture.shape, mac, networks: allowed };
        await machines.create(name!, shape, { ...system, id: 'first', hostname: `${name}.example.com` }, patience());
        await power.set(name!, 'on', patience());
      }
      victimPort = await fixture.port(victim!);
      capture = owned.use(await startCapture(fixture.uplink, victimPort));
    });
    /** Sends frames as the attacker, and then one that arrives: so the others have, unless they were dropped. */
    const send = async (...sent: Buffer[]): Promise<void> => {
      const last = frames.udp4(own4, `203.0.113.${++serial}`, ports);
      await fixture.send(attacker!, [...sent, last]);
      await until(() => capture.has(fixture.uplink, last), { patienceMs: 20_000 });
    };
    const arrives = (sent: Buffer): boolean => capture.has(fixture.uplink, sent) || capture.has(victimPort, sent);
    const isFiltered = async (): Promise<boolean | undefined> =>
      (await fixture.hypervisor.machines.list(patience())).find(({ name }) => name === attacker)?.isFiltered;

    it('a machine reaches the network with its own addresses', async () => {
      const needed = { ...legitimate, ...(fixture.passesQuestions ? questions : {}) };
      await send(...Object.values(needed));
      for (const [name, sent] of Object.entries(needed)) assert.ok(capture.has(fixture.uplink, sent), name);
    });

    it('a machine cannot pose as another, or as a router or DHCP server', async () => {
      await send(...Object.values(forged));
      const arrived = Object.keys(forged).filter((name) => arrives(forged[name]!));
      // All names: whether one frame passed, or all from some moment on, tells what was wrong with the filter.
      assert.deepEqual(arrived, []);
      await frames.sendFrames(fixture.uplink, Object.values(forged));
      for (const [name, sent] of Object.entries(forged))
        await until(() => capture.has(victimPort, sent), { saw: () => name, patienceMs: 10_000 });
    });

    it('a machine does not reach another one on the same bridge', async () => {
      const direct = frames.udp4(own4, '203.0.113.200', ports);
      await send(direct);
      assert.ok(capture.has(fixture.uplink, direct));
      assert.ok(!capture.has(victimPort, direct));
    });

    it('a running machine can use a new address at once, and one that was taken away no longer', async () => {
      const added = frames.udp4({ ...own4, ip: '203.0.113.40' }, gateway, ports);
      const removed = frames.udp4({ ...own4, ip: '198.51.100.13' }, gateway, ports);
      await send(added);
      assert.ok(!arrives(added), 'before');
      const changed = ['192.0.2.10/32', '203.0.113.40/32', '2001:db8:a::/64'];
      await fixture.hypervisor.machines.setNetworks(attacker!, changed, patience());
      await send(added, removed);
      assert.ok(capture.has(fixture.uplink, added));
      assert.ok(!arrives(removed));
      assert.equal(await isFiltered(), true);
    });

    it('a running machine without a filter is reported, can forge, and gets its filter back', async () => {
      const spoof = (port: number): Buffer => frames.udp4({ ...own4, ip: victim4! }, gateway!, [port, port]);
      await fixture.removeFilter(attacker!);
      assert.equal(await isFiltered(), false);
      await send(spoof(5001));
      assert.ok(capture.has(fixture.uplink, spoof(5001)), 'without the filter');
      await fixture.hypervisor.machines.setNetworks(attacker!, networks.attacker, patience());
      await send(spoof(5002));
      assert.ok(!arrives(spoof(5002)));
      assert.equal(await isFiltered(), true);
    });

    it('a removed machine leaves no filter behind', async () => {
      assert.ok((await fixture.filters()).includes(attacker!));
      await fixture.hypervisor.machines.remove(attacker!, patience());
      assert.ok(!(await fixture.filters()).includes(attacker!));
    });
  });
}
