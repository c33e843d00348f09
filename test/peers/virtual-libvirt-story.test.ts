// A virtual machine on a real hypervisor through our API: created by the site file, viewed in a browser, given an
// image, reinstalled, logged in to, renamed and shut down. libvirt and QEMU run it; virsh and the machine itself are
// the witnesses. It boots completely only once, because that takes long.
import assert from 'node:assert/strict';
import { truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';
import { libvirtDriver } from '#drivers/hypervisor/libvirt.ts';
import { isoImage } from '#drivers/hypervisor/libvirt/iso9660.ts';
import { startVncProxy, type VncProxy } from '#http/consoles/vnc-proxy.ts';
import type { MachineConsole } from '#sdk/v2.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { adoptedService, serviceToAdopt, testAdoption } from '#test/support/adoption-story.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { needsLibvirt, startLibvirt, type LibvirtNode } from '#test/support/libvirt.ts';
import { machineCalls } from '#test/support/machine-calls.ts';
import { waitForLastAction } from '#test/support/actions.ts';
import { requestResult } from '#test/support/request.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { openNoVnc } from '#test/support/novnc.ts';
import { runInside } from '#test/support/serial-login.ts';
import { viewScreen, viewTicket } from '#test/support/vnc.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

const [service, vmid, name] = ['2001', '101', 'vm-101'];
const isoName = 'Tools.iso';
const shape = { vcpus: 1, memoryMb: 128, diskGb: 1, bandwidthGb: 100, template: 'tiny' };

// One after the other, because they share a machine.
const suite = { ...needsChromium(), ...needsLibvirt(), concurrency: 1 };

describe('a libvirt machine through the API', suite, () => {
  const owned = suiteResources();
  let node: LibvirtNode;
  let witness: Hypervisor;
  let app: TestApp;
  let vncProxy: VncProxy;
  let key: string;
  let rootPassword: string;
  before(async () => {
    node = owned.use(await startLibvirt());
    await writeFile(node.image, isoImage('tools', { tools: 'inside' }));
    const settings = { socket: node.socket, pool: node.pool, bridge: node.bridge, accelerator: 'tcg' as const };
    witness = owned.use(await libvirtDriver.open(settings));
    const fixture = machineSite(
      [{ name: 'real', driver: 'libvirt', settings }],
      [shape],
      [{ name: 'Tiny Linux', value: 'tiny', type: 'Xen', source: node.template }],
    );
    const images = [{ value: isoName, url: 'http://192.0.2.1/tools.iso', onNodes: node.image }];
    const services = [...fixture.site.services!, serviceToAdopt];
    app = owned.use(await openTestApp({ worksOffJobs: true, site: { ...fixture.site, services, images } }));
    vncProxy = owned.use(await startVncProxy(app.parts, { host: '127.0.0.1', port: 0 }));
    app.parts.vncListeners.address = { host: vncProxy.address, port: vncProxy.port };
    key = fixture.key;
  });
  const { legacy, v2, assertCreated, assertSampled, reinstall } = machineCalls({ service, vmid }, () => ({ app, key }));
  const ticket = async () => ((await v2('POST', 'console')).body.result as { url: string }).url;
  const drive = async (target: string) =>
    (await node.virsh('domblklist', name)).split('\n').find((line) => line.trim().startsWith(`${target} `)) ?? '';

  it('is created as the site file says, and runs', async () => {
    await assertCreated('Xen', '128 MB');
    assert.equal(await node.virsh('domstate', name), 'running');
  });

  it("shows its screen to simultaneous viewers, and never its hypervisor's address", async () => {
    const way = (await v2('GET', 'console')).body.result as MachineConsole;
    assert.deepEqual([way.user, way.host, way.port], [name, '127.0.0.1', String(vncProxy.port)]);
    const tickets = await Promise.all([ticket(), ticket(), ticket()]);
    const viewers = await Promise.all([viewScreen(way), ...tickets.map((url) => viewTicket(app.url, url))]);
    assert.deepEqual(new Set(viewers.map((viewer) => viewer.name)), new Set([`QEMU (${name})`]));
    for (const viewer of viewers) await viewer[Symbol.asyncDispose]();
  });

  it('works with noVNC in Chromium', async () => {
    await using browser = await openNoVnc(app.url, ticket);
    assert.equal(browser.name, `QEMU (${name})`);
    await until(async () => (await browser.lit()) > 100, { saw: browser.log });
  });

  it('mounts an image', async () => {
    assertRejected(await legacy('/vps/iso', { image: 'No-such.iso' }), 422);
    assert.equal((await legacy('/vps/iso', { image: isoName })).status, 200);
    assert.ok((await drive('hda')).endsWith(node.image), await drive('hda'));
    const uploaded = { image: isoName, uploading: '', progress: '0' };
    assertResult(await v2('GET', 'iso'), { ...uploaded, mounted: '1' });
    await node.virsh('change-media', name, 'hda', '--eject', '--live', '--config');
    assertResult(await v2('GET', 'iso'), { ...uploaded, mounted: '0' });
    assertResult(await v2('PUT', 'iso'), 'Image Mounted');
    assert.ok((await drive('hda')).endsWith(node.image), await drive('hda'));
    assertResult(await v2('DELETE', 'iso'), 'Image Unmounted');
    assert.match(await drive('hda'), /-$/);
  });

  it('is reinstalled on another disk, and the old one is gone', async () => {
    // A hard power-off, so that no shutdown is needed.
    await node.virsh('destroy', name);
    const before = await drive('vda');
    rootPassword = await reinstall();
    assert.notEqual(await drive('vda'), before);
    const volumes = (await node.virsh('vol-list', node.pool)).split('\n').filter((line) => line.includes(`${name}.`));
    assert.equal(volumes.length, 2, volumes.join('\n'));
  });

  it('boots the new system, with the returned password and the name', async () => {
    assertResult(await v2('POST', 'power', { action: 'on' }), 'Chassis Power Control: Up/On');
    const output = await runInside(witness, name, rootPassword, 'hostname; ip address show eth0');
    assert.match(output ?? 'refused', /^vps1\.example\.net\n[^]*inet 10\.64\.0\.0\/16/);
  });

  it('has a history of what it sent and used', async () => {
    await assertSampled(() => runInside(witness, name, rootPassword, 'ping -c 3 -W 1 -s 1000 10.64.255.255'));
  });

  it('gets and loses an image while its system reads the drive', async () => {
    const readDrive = 'echo >/run/reads; (while [ -f /run/reads ]; do head -c 2048 /dev/sr0; done) >/dev/null 2>&1 &';
    await node.runByAgent(name, readDrive);
    for (let round = 0; round < 25; round++) {
      assert.equal((await legacy('/vps/iso', { image: isoName })).status, 200);
      assertResult(await v2('DELETE', 'iso'), 'Image Unmounted');
    }
    assert.match(await drive('hda'), /-$/);
    await node.runByAgent(name, 'rm /run/reads');
  });

  it('gets a new name and password inside', async () => {
    assertResult(await legacy('/vps/hostname', { hostname: 'renamed.example.net' }), 'Hostname Updated');
    const password = String((await legacy('/vps/password')).body.result);
    assert.equal(await runInside(witness, name, password, 'hostname'), 'renamed.example.net');
    assert.equal(await runInside(witness, name, rootPassword, 'hostname'), undefined);
    const { result } = (await v2('GET', 'stats')).body;
    assert.equal((result as { status: string }).status, 'Online', JSON.stringify(result));
  });

  // The agent hangs for longer than it takes to begin a snapshot on a slow machine.
  if (isLongRun)
    it('is frozen for a snapshot, and an agent that hangs delays one only for seconds', async () => {
      const take = async (label: string) => {
        await requestResult(app, 'POST', '/v2/machine/snapshot', { key, params: { service, name: label } });
        const { status, error } = await waitForLastAction(app, key, service);
        assert.deepEqual([status, error], ['Completed', '']);
        const options = { key, params: { service } };
        const all = await requestResult<{ name: string; consistent: string }[]>(
          app,
          'GET',
          '/v2/machine/snapshot',
          options,
        );
        return all.find((snapshot) => snapshot.name === label)!.consistent;
      };
      assert.equal(await take('frozen'), 'yes');
      assert.equal(await node.runByAgent(name, 'echo thawed >/root/thawed; cat /root/thawed'), 'thawed\n');
      const ping = () => node.virsh('qemu-agent-command', '--timeout', '1', name, '{"execute":"guest-ping"}');
      await node.runByAgent(
        name,
        '(sleep 1; kill -STOP $(pidof qemu-ga); sleep 40; kill -CONT $(pidof qemu-ga)) >/dev/null 2>&1 &',
      );
      await until(() =>
        ping().then(
          () => false,
          () => true,
        ),
      );
      assert.equal(await take('agent hangs'), 'no');
      await until(() =>
        ping().then(
          () => true,
          () => false,
        ),
      );
    });

  it('shuts down when powered off, and is off', async () => {
    assertResult(await legacy('/vps/power', { action: 'off' }), 'Powered Off');
    assert.equal(await node.virsh('domstate', '--reason', name), 'shut off (shutdown)');
    assertResult(await v2('GET', 'power'), 'off');
    assertRejected(await v2('POST', 'power', { action: 'reboot' }), 409, 'state_conflict');
    assertRejected(await v2('PUT', 'reload'), 422, 'capability_missing');
  });

  it('can be one that libvirt had before, of any name and with any disk', async () => {
    const machine = 'old.example.com';
    const [disk, file] = [join(dirname(node.socket), 'old disk.img'), join(dirname(node.socket), 'old.xml')];
    await writeFile(disk, '');
    await truncate(disk, 3 * 2 ** 20);
    await writeFile(
      file,
      `<domain type='qemu'><name>${machine}</name><memory unit='MiB'>64</memory><vcpu>1</vcpu>
        <os><type arch='x86_64' machine='q35'>hvm</type><boot dev='hd'/></os>
        <devices><disk type='file' device='disk'><source file='${disk}'/><target dev='sda' bus='sata'/></disk>
          <interface type='bridge'><source bridge='${node.bridge}'/><model type='e1000'/></interface>
          <graphics type='vnc' port='-1' autoport='yes'/></devices></domain>`,
    );
    await node.virsh('define', file);
    await node.virsh('start', machine);
    await testAdoption({
      app,
      key,
      machine,
      describe: () => node.virsh('dumpxml', machine),
      isOn: async () => (await node.virsh('domstate', machine)) === 'running',
      stop: () => node.virsh('destroy', machine),
      isFiltered: async () => (await node.virsh('dumpxml', machine)).includes("filterref filter='vm-102'"),
    });
    const adopted = machineCalls(adoptedService, () => ({ app, key }));
    for (const [path, form] of [
      ['/vps/reinstall', { template: 'tiny' }],
      ['/vps/iso', { image: isoName }],
    ] as const)
      assertRejected(await adopted.legacy(path, form), 422);
    await using viewer = await viewScreen((await adopted.v2('GET', 'console')).body.result as MachineConsole);
    assert.equal(viewer.name, `QEMU (${machine})`);
    assert.match(await node.virsh('domblklist', machine), /old disk\.img/);
  });
});
