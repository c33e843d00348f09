// Containers of the LXD driver cannot pose as each other, on Debian's LXD.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { lxdDriver } from '#drivers/hypervisor/lxd.ts';
import { loadHypervisorRules, makeBridge } from '#test/support/bridge.ts';
import { sendCommand } from '#test/support/frames.ts';
import { describeIsolation } from '#test/support/isolation-suite.ts';
import { currentOf, patience } from '#test/support/lxd-console.ts';
import { lxdPool, lxdTemplate, needsLxd, startLxd } from '#test/support/lxd.ts';
import { needs } from '#test/support/needs.ts';
import { withResources } from '#test/support/resources.ts';

describeIsolation('containers on one bridge of LXD', { ...needsLxd(), ...needs('perl', 'nft', 'ip') }, async () => {
  await using owned = new AsyncDisposableStack();
  owned.use(await loadHypervisorRules());
  const bridge = owned.use(await makeBridge());
  const lxd = owned.use(await startLxd());
  await lxd.prepare();
  const settings = { socket: lxd.socket, pool: lxdPool, nic: { nictype: 'bridged', parent: bridge.name } };
  const instance = async (name: string): Promise<string> => (await currentOf(lxd, name))!.name;
  return withResources(owned, {
    hypervisor: owned.use(await lxdDriver.open(settings)),
    template: lxdTemplate,
    shape: { vcpus: 1, memoryMb: 64, diskGb: 1 },
    uplink: bridge.uplink,
    async filters() {
      const { stdout } = await promisify(execFile)('nft', ['list', 'chains']);
      // Other daemons on this machine have filters as well.
      return Array.from(stdout.matchAll(/in\.(vm-\d)--first\./g), ([, name]) => name).join();
    },
    // LXD answers these itself, or drops them.
    passesQuestions: false,
    port: async (name) => (await currentOf(lxd, name))!.config['volatile.eth0.host_name']!,
    send: async (name, sent) => lxd.runInNetwork(await instance(name), sendCommand('eth0', sent)),
    async removeFilter(name) {
      const keys = ['mac_filtering', 'ipv4_filtering', 'ipv6_filtering'].map((key) => `security.${key}=`);
      const addresses = ['ipv4.address=', 'ipv6.address='];
      await lxd.lxc('profile', 'device', 'set', name, 'eth0', ...keys, ...addresses);
    },
  });
});

describe('a container that was created by hand', { ...needsLxd(), ...needs('nft', 'ip') }, () => {
  it('is reported as not filtered, and gets a filter on its own card', async () => {
    await using bridge = await makeBridge();
    await using lxd = await startLxd();
    await lxd.prepare();
    const devices = {
      root: { type: 'disk', path: '/', pool: lxdPool, size: '1GiB' },
      eth0: { type: 'nic', name: 'eth0', nictype: 'bridged', parent: bridge.name },
    };
    const source = { type: 'image', alias: lxdTemplate };
    await lxd.call('POST', '/1.0/instances', { name: 'vm-9', source, devices });
    await lxd.lxc('start', 'vm-9');
    await using hypervisor = await lxdDriver.open({ socket: lxd.socket, pool: lxdPool });
    const isFiltered = async () => (await hypervisor.machines.list(patience()))[0]?.isFiltered;
    assert.equal(await isFiltered(), false);
    await hypervisor.machines.setNetworks('vm-9', ['192.0.2.10/32'], patience());
    assert.equal(await isFiltered(), true);
    const { stdout } = await promisify(execFile)('nft', ['list', 'table', 'bridge', 'lxd']);
    assert.match(stdout, /chain fwd\.vm-9\.eth0 \{[^}]*ip saddr 192\.0\.2\.10 accept/);
  });
});
