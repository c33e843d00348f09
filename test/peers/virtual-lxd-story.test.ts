// A container on a real LXD through our API: created by the site file, reinstalled, logged in to on its console,
// renamed, measured and shut down. LXD's own client and the container itself are the witnesses. The driver's
// conformance suite is in test/long, and the cluster of two in a separate file.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { adoptedService, serviceToAdopt, testAdoption } from '#test/support/adoption-story.ts';
import { lxdDriver } from '#drivers/hypervisor/lxd.ts';
import { checkVolumes } from '#drivers/hypervisor/volume-conformance.ts';
import { makeBridge } from '#test/support/bridge.ts';
import { openLineAt } from '#test/support/console.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { currentOf, instancesOf, snapshotFixture } from '#test/support/lxd-console.ts';
import { lxdPool, lxdTemplate, needsLxd, startLxd, type Lxd } from '#test/support/lxd.ts';
import { machineCalls } from '#test/support/machine-calls.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { needs } from '#test/support/needs.ts';
import { runAsRoot } from '#test/support/serial-login.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';
import { viewScreen } from '#test/support/vnc.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { checkBackups } from '#drivers/hypervisor/backup-conformance.ts';
import { testSnapshots } from '#drivers/hypervisor/snapshot-conformance.ts';
import { settingsAfter } from '#app/machines/network-settings.ts';
import { networkRange } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { machineAddresses } from '#reconcilers/machine-addresses.ts';
import { machineFind } from '#store/devices/machines.ts';
import { serviceLoad } from '#store/devices/services.ts';
import { netblockAssign, netblockList, netblockRemove } from '#store/network/netblocks.ts';
import { startVncProxy, type VncProxy } from '#http/consoles/vnc-proxy.ts';
import type { MachineConsole } from '#sdk/v2.ts';

const noNetwork = { addresses: [], nameServers: [], sshKeys: [] };
const [service, vmid, name] = ['2001', '101', 'vm-101'];
const shape = { vcpus: 1, memoryMb: 64, diskGb: 1, bandwidthGb: 100, template: 'tiny' };

// One after the other, because they share a container.
describe('an LXD container through the API', { ...needs('ip', 'nft'), ...needsLxd(), concurrency: 1 }, () => {
  const owned = suiteResources();
  let lxd: Lxd;
  let bridge: string;
  let app: TestApp;
  let key: string;
  let proxy: VncProxy;
  let rootPassword: string;
  before(async () => {
    ({ name: bridge } = owned.use(await makeBridge()));
    lxd = owned.use(await startLxd());
    await lxd.prepare();
    const settings = { socket: lxd.socket, pool: lxdPool, nic: { nictype: 'bridged', parent: bridge } };
    const fixture = machineSite(
      [{ name: 'real', driver: 'lxd', settings }],
      [shape],
      [{ name: 'Tiny Linux', value: 'tiny', type: 'OpenVZ', source: lxdTemplate }],
    );
    const services = [...fixture.site.services!, serviceToAdopt];
    app = owned.use(await openTestApp({ worksOffJobs: true, site: { ...fixture.site, services } }));
    key = fixture.key;
    proxy = owned.use(await startVncProxy(app.parts, { host: '127.0.0.1', port: 0 }));
    app.parts.vncListeners.address = { host: proxy.address, port: proxy.port };
  });
  const { legacy, v2, assertCreated, assertSampled, reinstall } = machineCalls({ service, vmid }, () => ({ app, key }));
  /** On the console, through a ticket, as in a browser. */
  const inside = async (password: string, command: string) => {
    const { url } = (await v2('POST', 'console')).body.result as { url: string };
    const line = await openLineAt(app.url, url);
    try {
      return await runAsRoot(line, password, command);
    } finally {
      line.destroy();
    }
  };

  it('is created as the site file says, and runs', async () => {
    await assertCreated('OpenVZ', '64 MB');
    assert.equal((await currentOf(lxd, name))?.status, 'Running');
  });

  it('shares its hypervisor with others, whose volumes are attached, grown and removed', async () => {
    await using hypervisor = await lxdDriver.open({ socket: lxd.socket, pool: lxdPool });
    const system = { id: 'one', template: lxdTemplate, hostname: 'x', rootPassword: 'x', ...noNetwork };
    const size = { vcpus: 1, memoryMb: 64, diskGb: 1, networks: [] };
    for (const [other, mac] of [
      ['vm-501', '52:54:00:00:05:01'],
      ['vm-502', '52:54:00:00:05:02'],
    ] as const)
      await hypervisor.machines.create(other, { ...size, mac }, system, AbortSignal.timeout(60_000));
    await checkVolumes({ hypervisor, machine: 'vm-501', other: 'vm-502', sizeGb: 1, tooLargeGb: 100_000 });
    await hypervisor.machines.remove('vm-501', AbortSignal.timeout(60_000));
  });

  it('has no drive, and says so', async () => {
    assertRejected(await legacy('/vps/iso', { image: 'Tools.iso' }), 422);
  });

  it('is reinstalled with another system, and the old one is gone', async () => {
    const before = (await currentOf(lxd, name))?.name;
    rootPassword = await reinstall();
    const left = (await instancesOf(lxd, name)).map((instance) => instance.name);
    assert.equal(left.length, 1, left.join());
    assert.notEqual(left[0], before);
  });

  it('accepts the returned password on its console, with its name and address', async () => {
    const output = await inside(rootPassword, 'hostname; ip address show eth0');
    assert.match(output ?? 'refused', /^vps1\.example\.net\n[^]*inet 10\.64\.0\.0\/16/);
  });

  it('has a history of what it sent and used', async () => {
    const { name: instance } = (await currentOf(lxd, name))!;
    const ping = 'ping -c 3 -W 1 -s 1000 10.64.255.255; true';
    await assertSampled(() => lxd.lxc('exec', instance, '--', 'sh', '-c', ping));
  });

  it('shows its console to several VNC viewers at once', async () => {
    const wayIn = (await v2('GET', 'console')).body.result as MachineConsole;
    assert.deepEqual([wayIn.user, wayIn.port], [name, String(proxy.port)]);
    await using viewer = await viewScreen(wayIn);
    // The output of the container before anyone was connected.
    await viewer.shows('vps1.example.net login:');
    const prompts = async () => (await viewer.text()).split('login:').length;
    const before = await prompts();
    // The first keys may be lost while the daemon attaches to the terminal.
    await until(async () => {
      viewer.type('\n');
      return (await prompts()) > before;
    });
    const endsWith = (text: string) =>
      until(async () => (await viewer.text()).endsWith(text), { saw: () => viewer.text() });
    viewer.type('root\n');
    await endsWith('Password:');
    viewer.type(`${rootPassword}\n`);
    await endsWith('~ #');
    viewer.type('echo $((6 * 7)) | cat > /root/answer; cat /root/answer; hostname\n');
    await viewer.shows('42\nvps1.example.net');
    await using other = await viewScreen(wayIn);
    await other.shows('42\nvps1.example.net');
    other.type('exit\n');
    await endsWith('vps1.example.net login:');
  });

  it('has tunnel devices while they are enabled, without a restart', async () => {
    const { name: instance } = (await currentOf(lxd, name))!;
    const openTunnel = () => lxd.lxc('exec', instance, '--', 'sh', '-c', 'cat /dev/net/tun 2>&1 || true');
    const bootId = () => lxd.lxc('exec', instance, '--', 'cat', '/proc/1/stat');
    const booted = (await bootId()).split(' ')[21];
    assert.doesNotMatch(await openTunnel(), /bad state/);
    assertResult(await legacy('/vps/tun', { action: 'enable' }), 'TUN Enabled');
    // A process that may open it gets the error that no tunnel was named.
    assert.match(await openTunnel(), /bad state/);
    assertResult(await legacy('/vps/tun', { action: 'disable' }), 'TUN Disabled');
    assert.doesNotMatch(await openTunnel(), /bad state/);
    assert.equal((await bootId()).split(' ')[21], booted);
    // A container that was started before Hostyard plugged the device has a stricter rule until it restarts.
    await lxd.lxc('profile', 'set', name, 'raw.lxc', 'lxc.cgroup.devices.deny = c 10:200 rwm');
    await lxd.lxc('restart', '--force', instance);
    assertResult(await v2('GET', 'tun'), { state: 'disabled', effect: 'now' });
    assertResult(await legacy('/vps/tun', { action: 'enable' }), 'TUN Enabled from the next start');
    assertResult(await v2('GET', 'tun'), { state: 'enabled', effect: 'next start' });
    assert.doesNotMatch(await openTunnel(), /bad state/);
    await lxd.lxc('restart', '--force', instance);
    assert.match(await openTunnel(), /bad state/);
    assertResult(await v2('GET', 'tun'), { state: 'enabled', effect: 'now' });
  });

  it('has addresses that it gets while it runs after its next start, until its customer changes the file', async () => {
    const { queries } = app.parts.store;
    const { account_id } = (await serviceLoad(queries, Number(service)))!;
    const assign = async (cidr: string) => {
      const block = { cidr, ...networkRange(parseNetwork(cidr)!) };
      await netblockAssign(queries, { ...block, account_id, service_id: Number(service) }, [block.first]);
    };
    const configure = async () => {
      const reconciler = machineAddresses(app.parts, (after) => settingsAfter(queries, after));
      assert.equal((await reconciler.run(AbortSignal.timeout(60_000))).backlog, 0);
    };
    const { name: instance } = (await currentOf(lxd, name))!;
    const run = (script: string) => lxd.lxc('exec', instance, '--', 'sh', '-c', script);
    await configure();
    await assign('10.64.7.7/32');
    await configure();
    assert.match(await run('cat /etc/network/interfaces'), /address 10\.64\.7\.7\n/);
    assert.doesNotMatch(await run('ip address show eth0'), /10\.64\.7\.7/);
    // The file system of other images is in memory there.
    await run(': >/var/run/ifstate');
    await lxd.lxc('restart', '--force', instance);
    const addresses = () => run('ip address show eth0');
    await until(async () => (await addresses()).includes('inet 10.64.7.7/16'), { saw: addresses });
    await run('cat /etc/network/interfaces >/root/saved; echo "# mine" >>/etc/network/interfaces');
    const edited = await run('cat /etc/network/interfaces');
    await assign('10.64.7.8/32');
    await configure();
    assert.equal(await run('cat /etc/network/interfaces'), edited);
    const own = await netblockList(queries, account_id, Number(service));
    await netblockRemove(queries, own.find(({ cidr }) => cidr === '10.64.7.8/32')!.id);
    await run('cat /root/saved >/etc/network/interfaces');
    await configure();
    assert.match(await run('cat /etc/network/interfaces'), /address 10\.64\.7\.7\n/);
  });

  it('gets a new name and password inside', async () => {
    assertResult(await legacy('/vps/hostname', { hostname: 'renamed.example.net' }), 'Hostname Updated');
    const password = String((await legacy('/vps/password')).body.result);
    assert.equal(await inside(password, 'hostname'), 'renamed.example.net');
    assert.equal(await inside(rootPassword, 'hostname'), undefined);
  });

  it('reports its usage', async () => {
    const { status, memory, bandwidth } = (await v2('GET', 'stats')).body.result as Record<string, string>;
    assert.deepEqual([status, bandwidth], ['Online', '0 GB / 100 GB']);
    assert.match(memory!, /^\d+(\.\d+)? MB \/ 64 MB$/);
    assert.ok(Number.parseFloat(memory!) > 0, memory);
  });

  it('shuts down when powered off, and is off', async () => {
    assertResult(await legacy('/vps/power', { action: 'off' }), 'Powered Off');
    const { name: instance, status } = (await currentOf(lxd, name))!;
    assert.equal(status, 'Stopped');
    assert.equal(await lxd.lxc('file', 'pull', `${instance}/root/last-words`, '-'), 'shutting down\n');
    assertResult(await v2('GET', 'power'), 'off');
    assertRejected(await v2('POST', 'power', { action: 'reboot' }), 409, 'state_conflict');
  });

  it('can be one that LXD had before, of any name, and is reinstalled like all others', async () => {
    const machine = 'old-box';
    const limits = { 'limits.cpu': '0-1', 'limits.memory': '64MiB' };
    const card = { type: 'nic', name: 'eth0', nictype: 'bridged', parent: bridge };
    const root = { type: 'disk', path: '/', pool: lxdPool, size: '1GiB' };
    const source = { type: 'image', alias: lxdTemplate };
    await lxd.call('POST', '/1.0/instances', {
      name: machine,
      source,
      config: limits,
      devices: { root, eth0: card },
      profiles: [],
    });
    await lxd.lxc('start', machine);
    const read = async () => (await lxd.query(`/1.0/instances/${machine}`)) as Record<string, unknown>;
    await testAdoption({
      app,
      key,
      machine,
      async describe() {
        const { config, devices, profiles, status } = await read();
        return { config, devices, profiles, status };
      },
      isOn: async () => (await read())['status'] === 'Running',
      stop: () => lxd.lxc('stop', '--force', machine),
      isFiltered: async () => JSON.stringify((await read())['devices']).includes('mac_filtering'),
    });
    const { vcpus, memory_mb, disk_gb } = (await machineFind(app.parts.store.queries, 2002))!;
    assert.deepEqual([vcpus, memory_mb, disk_gb], [2, 64, 1]);
    // A hard power-off, so that no shutdown is needed.
    await lxd.lxc('stop', '--force', machine);
    await machineCalls(adoptedService, () => ({ app, key })).reinstall();
    assert.equal((await instancesOf(lxd, adoptedService.name)).length, 1);
    await assert.rejects(read());
  });

  testSnapshots(async () =>
    snapshotFixture(lxd, owned.use(await lxdDriver.open({ socket: lxd.socket, pool: lxdPool }))),
  );

  it('copies a container off the hypervisor, and restores it', async () => {
    await using hypervisor = await lxdDriver.open({ socket: lxd.socket, pool: lxdPool });
    await checkBackups(snapshotFixture(lxd, hypervisor));
  });

  it('was run by a daemon that never restarted', () => {
    assert.doesNotMatch(lxd.output(), /^panic: /m);
  });
});
