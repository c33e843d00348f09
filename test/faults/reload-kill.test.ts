// kill -9 of Hostyard in every phase of a reload: it continues and ends with the new system running. The server, its
// BMC and its installer run in the test process, so that they survive.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startLabBmc } from '#lab/bmc/bmc.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { singleServerSite } from '#test/support/single-server-site.ts';
import { bootableSite, installerAt, requestScript, type Installer } from '#test/support/reloads.ts';
import { requestResult } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';

const admin = { username: 'provider', password: 'secret-enough' };

it('a reload whose process is killed in any phase continues to its end', async () => {
  await using folder = await temporaryFolder('reload-kill');
  await using bmc = await startLabBmc({ admin, timing: { bootMs: 1, cycleOffMs: 1, softOffMs: 1 } });
  const { chassis } = bmc;
  chassis.turnOn();
  const { site, env, key, service } = singleServerSite({ address: bmc.address, port: bmc.port, ...admin });
  const provider = { ...site, netblocks: [{ cidr: '203.0.113.0/24' }] };
  await using server = await startSite(bootableSite(provider, folder.path), env);
  const call = (method: string, params: Record<string, string> = {}): Promise<unknown> =>
    requestResult<unknown>(server, method, '/v2/device/reload', { key, params: { service, ...params } });
  const shot = async (): Promise<void> => {
    await server.kill('SIGKILL');
    await server.start();
  };
  const happened = (text: string): number => chassis.events.filter((event) => event.text === text).length;

  let networkBoots = 0;
  let offs = 0;
  const booted = (): Promise<void> => until(() => happened('boot from pxe') > networkBoots);
  let path: string | undefined;
  /** Requests its script once; its links still work after the kill, on another port. */
  const installer = async (): Promise<Installer> => {
    await booted();
    path ??= new URL((await requestScript(server.bootUrl)).link).pathname;
    const links = installerAt(server.bootUrl + path);
    await links.fetch('kernel');
    return links;
  };

  /** What to wait for before the kill; the installer does the rest afterwards. */
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
    path = undefined;
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
