// debian-installer from Debian's netboot package, in a QEMU behind ipmi_sim: it boots from our boot server, fetches its
// rendered preseed file and obeys it, shown by its first report, which is a command in that file. Under emulation this
// takes ten minutes of CPU, a third of it after the file was fetched, because every answer costs the installer a dozen
// processes. It ends there: going further needs a mirror.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { watchConsoleAt } from '#test/support/console.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { debianInstaller, leaveOut, needs } from '#test/support/needs.ts';
import { singleServerSite } from '#test/support/single-server-site.ts';
import { startQemuInstallServer } from '#test/support/qemu-server.ts';
import { requestResult } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';

const mac = '52:54:00:77:00:02';
const diskSerial = 'LONG-0001';
const patienceMs = 90 * 60_000;

const options = needs('ipmi_sim', 'qemu-system-x86_64', 'setsid', 'timeout');

describe('debian-installer', existsSync(debianInstaller) ? options : leaveOut(`needs ${debianInstaller}`), () => {
  it('fetches its preseed file from the boot server and obeys it', async () => {
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder('disk'));
    const disk = join(folder.path, 'disk.img');
    await writeFile(disk, Buffer.alloc(2 ** 20));
    const machine = owned.use(
      await startQemuInstallServer({
        mac,
        disks: [{ path: disk, serial: diskSerial }],
        memoryMb: 1280,
        longestSeconds: patienceMs / 1000,
      }),
    );
    const { site, env, key, service } = singleServerSite(machine.controller);
    const hostyard = owned.use(
      await startSite(
        {
          ...site,
          boot: {
            listen: '127.0.0.1:0',
            tftp: '127.0.0.1:0',
            nameservers: ['10.0.2.3'],
            timeouts: { start: patienceMs / 1000 },
          },
          systems: [
            {
              name: 'Debian 12',
              value: 'debian-12',
              kind: 'preseed',
              kernel: { file: join(debianInstaller, 'linux') },
              initrd: { file: join(debianInstaller, 'initrd.gz') },
              // Nothing is there: the installer would stop at its mirror, long after it has read its answers.
              mirror: 'http://10.0.2.2:9/debian',
              release: 'bookworm',
              // Output that is not written and drivers that are not loaded need not be emulated.
              kernelOptions: 'console=ttyS0 quiet DEBIAN_FRONTEND=text modprobe.blacklist=bochs,floppy',
            },
          ],
          netblocks: [{ cidr: '10.0.2.0/24', gateway: '10.0.2.2' }],
          servers: site.servers!.map((server) => ({
            ...server,
            macs: [mac],
            disks: [{ serial: diskSerial, sizeGb: 1 }],
          })),
          services: site.services!.map((service) => ({ ...service, ip: '10.0.2.15' })),
        },
        env,
      ),
    );
    await machine.bootsFrom(`tftp://10.0.2.2:${hostyard.tftpPort}/boot.ipxe`);
    const call = (method: string, path: string, params: Record<string, string> = {}): Promise<unknown> =>
      requestResult<unknown>(hostyard, method, `/v2/device/${path}`, { key, params: { service, ...params } });
    const { url } = (await call('POST', 'console')) as { url: string };
    const viewer = owned.use(await watchConsoleAt(hostyard.url, url));
    const status = async (): Promise<string> => {
      const progress = String(await call('PUT', 'reload'));
      assert.doesNotMatch(progress, /^Failed/, viewer.text().slice(-4000));
      return progress;
    };

    await call('POST', 'reload', { value: 'debian-12' });
    // Its first report comes from the preseed file.
    await until(async () => (await status()).startsWith('Installing'), {
      patienceMs,
      saw: () => viewer.text().slice(-4000),
    });
    const log = (await call('GET', `reload/log/${service}`)) as { text: string }[];
    assert.ok(log.some(({ text }) => text === 'The server fetched the settings of its new system.'));
    assert.equal(await call('DELETE', 'reload'), 'Reload Cancelled');
  });
});
