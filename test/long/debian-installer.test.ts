// debian-installer out of Debian's own netboot package, in a QEMU behind ipmi_sim, is reloaded into: it boots by our boot server
// and fetches the preseed file that was rendered for it. Further it does not get here: that takes a mirror.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchAt } from '#test/support/console.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { oneServerSite } from '#test/support/one-server-site.ts';
import { startQemuInstallServer } from '#test/support/qemu-server.ts';
import { request } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';

const installer = '/usr/lib/debian-installer/images/12/amd64/text/debian-installer/amd64';
const mac = '52:54:00:77:00:02';
const diskSerial = 'LONG-0001';

const suite = existsSync(installer)
  ? needs('ipmi_sim', 'qemu-system-x86_64', 'setsid', 'timeout')
  : { skip: 'left out: needs the package debian-installer-12-netboot-amd64' };

describe('debian-installer', suite, () => {
  it('fetches its preseed file from the boot server', async () => {
    await using folder = await temporaryFolder('disk');
    const disk = join(folder.path, 'disk.img');
    await writeFile(disk, Buffer.alloc(2 ** 20));
    await using machine = await startQemuInstallServer({ mac, disk, diskSerial, memoryMb: 1280, longestSeconds: 1800 });
    const { site, env, key, service } = oneServerSite(machine.controller);
    await using hostyard = await startSite(
      {
        ...site,
        boot: { listen: '127.0.0.1:0', tftp: '127.0.0.1:0', nameservers: ['10.0.2.3'], timeouts: { start: 3600 } },
        systems: [
          {
            name: 'Debian 12',
            value: 'debian-12',
            kind: 'preseed',
            kernel: { file: join(installer, 'linux') },
            initrd: { file: join(installer, 'initrd.gz') },
            // Nobody is there: the installer stops at its mirror, long after its answers were read.
            mirror: 'http://10.0.2.2:9/debian',
            release: 'bookworm',
            kernelOptions: 'console=ttyS0 DEBIAN_FRONTEND=text',
          },
        ],
        netblocks: [{ cidr: '10.0.2.0/24', gateway: '10.0.2.2' }],
        servers: site.servers!.map((server) => ({
          ...server,
          macs: [mac],
          disks: [{ serial: diskSerial, sizeGb: 1 }],
        })),
        services: site.services!.map((each) => ({ ...each, ip: '10.0.2.15' })),
      },
      env,
    );
    await machine.bootsFrom(`tftp://10.0.2.2:${hostyard.tftpPort}/boot.ipxe`);
    const call = async (method: string, path: string, params: Record<string, string> = {}): Promise<unknown> => {
      const answer = await request<{ result: unknown }>(hostyard, method, `/v2/device/${path}`, {
        key,
        params: { service, ...params },
      });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.result;
    };
    const { url } = (await call('POST', 'console')) as { url: string };
    await using viewer = await watchAt(hostyard.url, url);
    await call('POST', 'reload', { value: 'debian-12' });
    // Its first word comes out of the preseed file.
    for (let status = ''; !status.startsWith('Installing'); await sleep(1000)) {
      status = String(await call('PUT', 'reload'));
      assert.doesNotMatch(status, /^Failed/, viewer.text().slice(-2000));
    }
    assert.equal(await call('DELETE', 'reload'), 'Reload Cancelled');
  });
});
