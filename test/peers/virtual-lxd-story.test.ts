// A container on a real LXD as its customer lives with it, through our own interface: made because the site file says so,
// reinstalled, logged in to on its console, renamed, measured and shut down. What is so is asked of LXD's own client and of
// the container itself. The conformance of the driver is in test/long; LXD twice, as a cluster, beside this.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { machinesMade } from '#app/site/machines.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { lastActionEnded } from '#test/support/actions.ts';
import { lineAt } from '#test/support/console.ts';
import { refused, succeeds } from '#test/support/devices.ts';
import { currentOf, instancesOf } from '#test/support/lxd-console.ts';
import { lxdPool, lxdTemplate, needsLxd, startLxd, type Lxd } from '#test/support/lxd.ts';
import { machineCalls } from '#test/support/machine-calls.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { request } from '#test/support/request.ts';
import { runAsRoot } from '#test/support/serial-login.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

const patienceMs = 120_000;
const [service, vmid, name] = ['2001', '101', 'vm-101'];
const shape = { vcpus: 1, memoryMb: 64, diskGb: 1, bandwidthGb: 100, template: 'tiny' };

// One after the other: they share a container.
describe('a container of LXD through the API', { ...needsLxd(), concurrency: 1 }, () => {
  const owned = new AsyncDisposableStack();
  let lxd: Lxd;
  let yard: TestYard;
  let key: string;
  let rootPassword: string;
  before(async () => {
    lxd = owned.use(await startLxd());
    await lxd.prepare();
    const settings = { socket: lxd.socket, pool: lxdPool, nic: { nictype: 'p2p' } };
    const told = machineSite(
      [{ name: 'real', driver: 'lxd', settings }],
      [shape],
      [{ name: 'Tiny Linux', value: 'tiny', type: 'OpenVZ', source: lxdTemplate }],
    );
    yard = owned.use(await openTestYard({ worksOffJobs: true, site: told.site }));
    key = told.key;
  });
  after(() => owned.disposeAsync());
  const { legacy, v2 } = machineCalls({ service, vmid }, () => ({ yard, key }));
  /** On the console, by a ticket, as in a browser. */
  const inside = async (password: string, command: string) => {
    const { url } = (await v2('POST', 'console')).body.result as { url: string };
    const line = await lineAt(yard.url, url);
    try {
      return await runAsRoot(line, password, command);
    } finally {
      line.destroy();
    }
  };

  it('is made as the site file says, and runs', async () => {
    await machinesMade(yard.parts, patienceMs);
    const [listed] = (await legacy('/vps/list')).body.result as Record<string, unknown>[];
    assert.deepEqual(
      [listed?.['vmid'], listed?.['type'], listed?.['node'], listed?.['template'], listed?.['memory']],
      [vmid, 'OpenVZ', 'real', 'tiny', '64 MB'],
    );
    succeeds(await v2('GET', 'power'), 'on');
    assert.equal((await currentOf(lxd, name))?.status, 'Running');
    succeeds(await request(yard, 'GET', '/vps/template/OpenVZ', { key }), [{ name: 'Tiny Linux', value: 'tiny' }]);
  });

  it('has no drive and no screen, and says so', async () => {
    refused(await legacy('/vps/iso', { image: 'Tools.iso' }), 422);
    refused(await v2('GET', 'console'), 422, 'capability_missing');
  });

  it('is reinstalled: another system, and the old one is gone', async () => {
    const before = (await currentOf(lxd, name))?.name;
    refused(await legacy('/vps/reinstall', { template: 'no-such' }), 422);
    const answer = await legacy('/vps/reinstall', { template: 'tiny' });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    rootPassword = String(answer.body.result);
    const { status, error } = await lastActionEnded(yard, key, service);
    assert.deepEqual([status, error], ['Completed', '']);
    await machineTidy(yard.parts).run(new AbortController().signal);
    const left = (await instancesOf(lxd, name)).map((instance) => instance.name);
    assert.equal(left.length, 1, left.join());
    assert.notEqual(left[0], before);
  });

  it('lets in on its console who has the password that was answered, with its name and address', async () => {
    const seen = await inside(rootPassword, 'hostname; ip address show eth0');
    assert.match(seen ?? 'refused', /^vps1\.example\.net\n[^]*inet 10\.64\.0\.0\/16/);
  });

  it('gets another name and password inside', async () => {
    succeeds(await legacy('/vps/hostname', { hostname: 'renamed.example.net' }), 'Hostname Updated');
    const password = String((await legacy('/vps/password')).body.result);
    assert.equal(await inside(password, 'hostname'), 'renamed.example.net');
    assert.equal(await inside(rootPassword, 'hostname'), undefined);
  });

  it('tells what it uses', async () => {
    const { status, memory, bandwidth } = (await v2('GET', 'stats')).body.result as Record<string, string>;
    assert.deepEqual([status, bandwidth], ['Online', '0 GB / 100 GB']);
    assert.match(memory!, /^\d+(\.\d+)? MB \/ 64 MB$/);
    assert.ok(Number.parseFloat(memory!) > 0, memory);
  });

  it('shuts down when it is switched off, and is off', async () => {
    succeeds(await legacy('/vps/power', { action: 'off' }), 'Powered Off');
    const { name: instance, status } = (await currentOf(lxd, name))!;
    assert.equal(status, 'Stopped');
    assert.equal(await lxd.lxc('file', 'pull', `${instance}/root/last-words`, '-'), 'shutting down\n');
    succeeds(await v2('GET', 'power'), 'off');
    refused(await v2('POST', 'power', { action: 'reboot' }), 409, 'state_conflict');
  });

  it('was run by a daemon that was there all the time', () => {
    assert.doesNotMatch(lxd.output(), /^panic: /m);
  });
});
