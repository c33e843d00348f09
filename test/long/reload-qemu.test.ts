// A reload from the call to the login with real programs only: a QEMU behind ipmi_sim boots through our TFTP and boot
// server, an image is written to its disk, it reports, boots the installed system, and root logs in over
// Serial-over-LAN with the returned password. Another reload is cancelled half-way, and the old system is back.
import assert from 'node:assert/strict';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Site } from '#contract/site/site.ts';
import { openLineAt, watchConsoleAt, type Viewer } from '#test/support/console.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import {
  buildInstallFiles,
  greetingSector,
  needsInstallFiles,
  type InstallFiles,
} from '#test/support/install-image.ts';
import { singleServerSite } from '#test/support/single-server-site.ts';
import { startQemuInstallServer, type QemuInstallServer } from '#test/support/qemu-server.ts';
import { requestResult } from '#test/support/request.ts';
import { runAsRoot } from '#test/support/serial-login.ts';
import { startSite } from '#test/support/server.ts';
import { quickly } from '#test/support/tiny-template.ts';
import { until } from '#test/support/until.ts';
import { withResources } from '#test/support/resources.ts';

const mac = '52:54:00:77:00:01';
const diskSerial = 'TINY-0001';
const oldGreeting = 'This is the old system.';

/** One server on slirp's network, and one system that is an image. */
function reloadSite(base: Site, { kernel, initrd, image }: InstallFiles): Site {
  return {
    ...base,
    boot: { listen: '127.0.0.1:0', tftp: '127.0.0.1:0' },
    systems: [
      {
        name: 'Tiny',
        value: 'tiny',
        kind: 'image',
        kernel: { file: kernel },
        initrd: { file: initrd },
        image: { file: image },
        rootPartition: 1,
        kernelOptions: `console=ttyS0 panic=5 ${quickly}`,
      },
    ],
    netblocks: [{ cidr: '10.0.2.0/24', gateway: '10.0.2.2' }],
    servers: base.servers!.map((server) => ({ ...server, macs: [mac], disks: [{ serial: diskSerial, sizeGb: 1 }] })),
    services: base.services!.map((service) => ({ ...service, ip: '10.0.2.15', hostname: 'web1.example.net' })),
  };
}

interface Reloading extends AsyncDisposable {
  readonly machine: QemuInstallServer;
  readonly viewer: Viewer;
  call(method: string, path: string, params?: Record<string, string>): Promise<string>;
  newConsole(): Promise<string>;
  readonly url: string;
  readonly service: string;
  /** Waits until the reload has a matching status. */
  waitForStatus(pattern: RegExp): Promise<void>;
}

/** A server that has booted its old system, with a viewer on its console. */
async function oldSystem(): Promise<Reloading> {
  await using owned = new AsyncDisposableStack();
  const files = owned.use(await buildInstallFiles());
  const disk = join(owned.use(await temporaryFolder('disk')).path, 'disk.img');
  await writeFile(disk, greetingSector(oldGreeting));
  await truncate(disk, 64 * 2 ** 20);
  const machine = owned.use(await startQemuInstallServer({ mac, disks: [{ path: disk, serial: diskSerial }] }));
  const { site, env, key, service } = singleServerSite(machine.controller);
  const hostyard = owned.use(await startSite(reloadSite(site, files), env));
  await machine.bootsFrom(`tftp://10.0.2.2:${hostyard.tftpPort}/boot.ipxe`);

  const call: Reloading['call'] = (method, path, params = {}) =>
    requestResult<string>(hostyard, method, `/v2/device/${path}`, { key, params: { service, ...params } });
  const newConsole = async (): Promise<string> => ((await call('POST', 'console')) as unknown as { url: string }).url;
  const viewer = owned.use(await watchConsoleAt(hostyard.url, await newConsole()));
  const waitForStatus = async (pattern: RegExp): Promise<void> => {
    let status = '';
    const isThere = async (): Promise<boolean> => {
      status = await call('PUT', 'reload');
      assert.doesNotMatch(status, /^Failed/, viewer.text());
      return pattern.test(status);
    };
    await until(isThere, { saw: () => ({ status, console: viewer.text().slice(-2000) }) });
  };

  await call('POST', 'power', { action: 'on' });
  await viewer.shows(oldGreeting);
  return withResources(owned, {
    machine,
    viewer,
    call,
    newConsole,
    url: hostyard.url,
    service,
    waitForStatus,
  });
}

describe('a QEMU reloaded over the network', needsInstallFiles(), () => {
  it('boots its old disk when the reload is cancelled half-way', async () => {
    await using reloading = await oldSystem();
    const { machine, viewer, call, waitForStatus } = reloading;
    await call('POST', 'reload', { value: 'tiny' });
    // It has fetched its script, and what it boots has not touched the disk yet.
    await waitForStatus(/^Booting$/);
    await machine.freeze();
    assert.equal(await call('DELETE', 'reload'), 'Reload Cancelled');
    await waitForStatus(/^Cancelled$/);
    const printedBefore = viewer.text().length;
    await until(() => viewer.text().includes(oldGreeting, printedBefore), { saw: () => viewer.text().slice(-2000) });
    assert.equal(await machine.controller.nextBoot(), 'none');
  });

  it('boots the new system, where root has the new password', async () => {
    await using reloading = await oldSystem();
    const { call, waitForStatus } = reloading;
    const password = await call('POST', 'reload', { value: 'tiny' });
    await waitForStatus(/^Completed$/);
    const log = (await call('GET', `reload/log/${reloading.service}`)) as unknown as { status: string }[];
    assert.ok(
      log.some(({ status }) => /^Installing [1-9][0-9]?%$/.test(status)),
      JSON.stringify(log),
    );
    const line = await openLineAt(reloading.url, await reloading.newConsole());
    assert.equal(await runAsRoot(line, password, 'hostname; echo $((6*7))'), 'web1.example.net\n42');
    line.destroy();
  });
});
