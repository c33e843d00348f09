// kill -9 of Hostyard at every phase of a reload: it goes on, and ends with the new system running. The server with its
// controller and its installer are in this process, so that they outlive it, as they would.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startLabBmc } from '#lab/bmc/bmc.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { oneServerSite } from '#test/support/one-server-site.ts';
import { askedForScript, bootable, type Installer } from '#test/support/reloads.ts';
import { request } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';

const admin = { username: 'provider', password: 'secret-enough' };

it('a reload whose process is shot in any phase goes on to its end', async () => {
  await using folder = await temporaryFolder('reload-kill');
  await using bmc = await startLabBmc({ admin, timing: { bootMs: 1, cycleOffMs: 1, softOffMs: 1 } });
  const { chassis } = bmc;
  chassis.turnOn();
  const { site, env, key, service } = oneServerSite({ address: bmc.address, port: bmc.port, ...admin });
  const provider = { ...site, netblocks: [{ cidr: '203.0.113.0/24' }] };
  await using server = await startSite(bootable(provider, folder.path), env);
  const call = async (method: string, params: Record<string, string> = {}): Promise<unknown> => {
    const answer = await request<{ result: unknown }>(server, method, '/v2/device/reload', {
      key,
      params: { service, ...params },
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.result;
  };
  const shot = async (): Promise<void> => {
    await server.kill('SIGKILL');
    await server.start();
  };
  const happened = (text: string): number => chassis.events.filter((event) => event.text === text).length;

  let networkBoots = 0;
  let offs = 0;
  const booted = (): Promise<void> => until(() => happened('boot from pxe') > networkBoots);
  const installer = async (): Promise<Installer> => {
    await booted();
    return askedForScript(server.bootUrl);
  };

  /** What is waited for before the shot; the installer does the rest afterwards. */
  const phases: Record<string, () => Promise<unknown>> = {
    Queued: async () => {},
    off: () => until(() => happened('power off') > offs),
    Booting: booted,
    Installing: async () => (await installer()).report('Installing', { percent: '50' }),
    Completed: async () => (await installer()).report('Completed'),
  };
  for (const [phase, reached] of Object.entries(phases)) {
    networkBoots = happened('boot from pxe');
    offs = happened('power off');
    await call('POST', { value: 'debian-12' });
    await reached();
    await shot();
    if (phase !== 'Completed') await (await installer()).report('Completed');
    chassis.restart();
    await until(async () => /^(Completed|Failed|Cancelled)/.test((await call('PUT')) as string));
    assert.equal(await call('PUT'), 'Completed', phase);
    assert.equal(happened('boot from pxe'), networkBoots + 1, `${phase}: booted from the network once`);
    assert.deepEqual([chassis.power, chassis.bootFlags.isValid], ['on', false], phase);
    assert.equal(chassis.events.findLast(({ text }) => text.startsWith('boot from'))?.text, 'boot from disk', phase);
  }
});
