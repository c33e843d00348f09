// A virtual machine on a real node as its customer lives with it, through our own interface: made because the site file says
// so, seen in a browser, given an image, reinstalled, logged in to, renamed and shut down. libvirt and QEMU run it; what is
// so is asked of virsh and of the machine itself. It boots to the end once, because that takes its time.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { machinesMade } from '#app/site/machines.ts';
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';
import { libvirtDriver } from '#drivers/hypervisor/libvirt.ts';
import { isoImage } from '#drivers/hypervisor/libvirt/iso9660.ts';
import { startScreenProxy, type ScreenProxy } from '#http/consoles/screen-proxy.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { lastActionEnded } from '#test/support/actions.ts';
import { refused, succeeds } from '#test/support/devices.ts';
import { needsLibvirt, startLibvirt, type LibvirtNode } from '#test/support/libvirt.ts';
import { machineCalls } from '#test/support/machine-calls.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { needs } from '#test/support/needs.ts';
import { openNoVnc } from '#test/support/novnc.ts';
import { request } from '#test/support/request.ts';
import { runInside } from '#test/support/serial-login.ts';
import { viewScreen, viewTicket } from '#test/support/vnc.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';
import { until } from '#test/support/until.ts';

const patienceMs = 120_000;
const [service, vmid, name] = ['2001', '101', 'vm-101'];
const isoName = 'Tools.iso';
const shape = { vcpus: 1, memoryMb: 128, diskGb: 1, bandwidthGb: 100, template: 'tiny' };

// One after the other: they share a machine.
const suite = { ...needs('chromium'), ...needsLibvirt(), concurrency: 1 };

describe('a virtual machine of libvirt through the API', suite, () => {
  const owned = new AsyncDisposableStack();
  let node: LibvirtNode;
  let witness: Hypervisor;
  let yard: TestYard;
  let door: ScreenProxy;
  let key: string;
  let rootPassword: string;
  before(async () => {
    node = owned.use(await startLibvirt());
    await writeFile(node.image, isoImage('tools', { tools: 'inside' }));
    const settings = { socket: node.socket, pool: node.pool, bridge: node.bridge, accelerator: 'tcg' as const };
    witness = owned.use(await libvirtDriver.open(settings));
    const told = machineSite(
      [{ name: 'real', driver: 'libvirt', settings }],
      [shape],
      [{ name: 'Tiny Linux', value: 'tiny', type: 'Xen', source: node.template }],
    );
    const images = [{ value: isoName, url: 'http://192.0.2.1/tools.iso', onNodes: node.image }];
    yard = owned.use(await openTestYard({ worksOffJobs: true, site: { ...told.site, images } }));
    door = owned.use(await startScreenProxy(yard.parts, { host: '127.0.0.1', port: 0 }));
    yard.parts.screens.address = { host: door.address, port: door.port };
    key = told.key;
  });
  after(() => owned.disposeAsync());
  const { legacy, v2 } = machineCalls({ service, vmid }, () => ({ yard, key }));
  const ticket = async () => ((await v2('POST', 'console')).body.result as { url: string }).url;
  const drive = async (target: string) =>
    (await node.virsh('domblklist', name)).split('\n').find((line) => line.trim().startsWith(`${target} `)) ?? '';

  it('is made as the site file says, and runs', async () => {
    await machinesMade(yard.parts, patienceMs);
    const [listed] = (await legacy('/vps/list')).body.result as Record<string, unknown>[];
    assert.deepEqual(
      [listed?.['vmid'], listed?.['type'], listed?.['node'], listed?.['template'], listed?.['memory']],
      [vmid, 'Xen', 'real', 'tiny', '128 MB'],
    );
    succeeds(await v2('GET', 'power'), 'on');
    assert.equal(await node.virsh('domstate', name), 'running');
    succeeds(await request(yard, 'GET', '/vps/template/Xen', { key }), [{ name: 'Tiny Linux', value: 'tiny' }]);
  });

  it('shows its screen to viewers who come at the same moment, and never where its node is', async () => {
    const way = (await v2('GET', 'console')).body.result as {
      user: string;
      pass: string;
      host: string;
      port: string;
    };
    assert.deepEqual([way.user, way.host, way.port], [name, '127.0.0.1', String(door.port)]);
    const tickets = await Promise.all([ticket(), ticket(), ticket()]);
    const viewers = await Promise.all([viewScreen(way), ...tickets.map((each) => viewTicket(yard.url, each))]);
    assert.deepEqual(new Set(viewers.map((each) => each.name)), new Set([`QEMU (${name})`]));
    for (const viewer of viewers) await viewer[Symbol.asyncDispose]();
  });

  it('is seen with noVNC in Chromium', async () => {
    await using browser = await openNoVnc(yard.url, ticket);
    assert.equal(browser.name, `QEMU (${name})`);
    await until(async () => (await browser.lit()) > 100, { saw: browser.seen });
  });

  it('takes an image', async () => {
    refused(await legacy('/vps/iso', { image: 'No-such.iso' }), 422);
    assert.equal((await legacy('/vps/iso', { image: isoName })).status, 200);
    assert.ok((await drive('hda')).endsWith(node.image), await drive('hda'));
    succeeds(await v2('DELETE', 'iso'), 'Image Unmounted');
    assert.match(await drive('hda'), /-$/);
  });

  it('is reinstalled: another disk, and the old one is gone', async () => {
    // Somebody pulled the plug: nothing has to be asked to shut down.
    await node.virsh('destroy', name);
    const before = await drive('vda');
    refused(await legacy('/vps/reinstall', { template: 'no-such' }), 422);
    const answer = await legacy('/vps/reinstall', { template: 'tiny' });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    rootPassword = String(answer.body.result);
    const { status, error } = await lastActionEnded(yard, key, service);
    assert.deepEqual([status, error], ['Completed', '']);
    assert.notEqual(await drive('vda'), before);
    await machineTidy(yard.parts).run(new AbortController().signal);
    const volumes = (await node.virsh('vol-list', node.pool)).split('\n').filter((line) => line.includes(`${name}.`));
    assert.equal(volumes.length, 2, volumes.join('\n'));
  });

  it('boots the new system, which knows the password that was answered and the name', async () => {
    succeeds(await v2('POST', 'power', { action: 'on' }), 'Chassis Power Control: Up/On');
    const seen = await runInside(witness, name, rootPassword, 'hostname; ip address show eth0');
    assert.match(seen ?? 'refused', /^vps1\.example\.net\n[^]*inet 10\.64\.0\.0\/16/);
  });

  it('gets another name and password inside', async () => {
    succeeds(await legacy('/vps/hostname', { hostname: 'renamed.example.net' }), 'Hostname Updated');
    const password = String((await legacy('/vps/password')).body.result);
    assert.equal(await runInside(witness, name, password, 'hostname'), 'renamed.example.net');
    assert.equal(await runInside(witness, name, rootPassword, 'hostname'), undefined);
    const { result } = (await v2('GET', 'stats')).body;
    assert.equal((result as { status: string }).status, 'Online', JSON.stringify(result));
  });

  it('shuts down when it is switched off, and is off', async () => {
    succeeds(await legacy('/vps/power', { action: 'off' }), 'Powered Off');
    assert.equal(await node.virsh('domstate', '--reason', name), 'shut off (shutdown)');
    succeeds(await v2('GET', 'power'), 'off');
    refused(await v2('POST', 'power', { action: 'reboot' }), 409, 'state_conflict');
    refused(await v2('PUT', 'reload'), 422, 'capability_missing');
  });
});
