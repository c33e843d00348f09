// A server between two customers, with real programs only: a QEMU behind ipmi_sim. The first customer leaves a canary on every disk,
// on the serial line and in DNS, a BMC user, and an image in the virtual drive. The operator terminates the service, the erasing
// system boots through our TFTP and boot server, and the second customer gets the server and searches for all of it.
import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Site } from '#contract/site/site.ts';
import { labImages, writeLabDisc } from '#lab/images.ts';
import { startLabRedfish } from '#lab/redfish/redfish.ts';
import { createKeyText } from '#lib/key-text.ts';
import { verifyCertificate, type Certificate, type CertificateKey } from '#sdk/v2.ts';
import type { OperatorDevice } from '#sdk/operator.ts';
import { logsIn } from '#test/support/bmc-login.ts';
import { watchConsoleAt, type Viewer } from '#test/support/console.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { buildInstallFiles, greetingSector, needsInstallFiles } from '#test/support/install-image.ts';
import { freePort } from '#test/support/ports.ts';
import { startQemuInstallServer, type QemuDisk } from '#test/support/qemu-server.ts';
import { request, requestResult, type Envelope } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { singleServerSite } from '#test/support/single-server-site.ts';
import { quickly } from '#test/support/tiny-template.ts';
import { until } from '#test/support/until.ts';

const mac = '52:54:00:77:00:02';
const address = '10.0.2.15';
const canary = 'CANARY-4711';
/** Not a whole number of MiB. */
const diskBytes = 12 * 2 ** 20 + 3 * 512;
/** As long as QEMU may run: on a busy machine it takes several times longer than on an idle one. */
const eraseMs = 290_000;
const redfishAdmin = { username: 'provider', password: 'secret-enough' };

async function createDisk(path: string, boot: Buffer): Promise<void> {
  await using file = await open(path, 'w');
  await file.truncate(diskBytes);
  await file.write(boot, 0, boot.length, 0);
  for (const offset of [4096, 2 ** 20 + 100, 7_000_001, diskBytes - canary.length])
    await file.write(canary, offset, 'latin1');
}

describe('a QEMU between two customers', needsInstallFiles(), () => {
  it('keeps nothing of the first one, and the second one has proof', async () => {
    await using owned = new AsyncDisposableStack();
    const files = owned.use(await buildInstallFiles());
    const folder = owned.use(await temporaryFolder('disks')).path;
    const discards = ['works', 'ignored'] as const;
    const disks = discards.map((discard, index): QemuDisk => ({
      path: join(folder, discard),
      serial: `DISK-${index + 1}`,
      discard,
    }));
    for (const { path } of disks) await createDisk(path, greetingSector(canary));
    const machine = owned.use(await startQemuInstallServer({ mac, disks }));
    const { controller } = machine;
    const media = owned.use(await startLabRedfish({ admin: redfishAdmin }));
    const { port, fingerprint } = media;
    const redfish = { address: media.address, port, fingerprint, ...redfishAdmin };

    const { site: base, env, key, service, server } = singleServerSite(controller);
    const operator = createKeyText();
    const nameserver = `127.0.0.1:${await freePort()}`;
    const site: Site = {
      ...base,
      ...labImages(writeLabDisc(folder), 0),
      boot: { listen: '127.0.0.1:0', tftp: '127.0.0.1:0' },
      nameserver: { names: ['ns1.example.net'], listen: nameserver },
      operators: [{ name: 'anna', role: 'owner', id: operator.printableId, hash: operator.secretHash.toString('hex') }],
      systems: [
        {
          name: 'Rescue',
          value: 'rescue',
          kind: 'rescue',
          kernel: { file: files.kernel },
          initrd: { file: files.initrd },
          kernelOptions: `console=ttyS0 panic=5 ${quickly}`,
        },
      ],
      netblocks: [
        { cidr: '10.0.2.0/24', gateway: '10.0.2.2' },
        { cidr: `${address}/32`, service: Number(service) },
        { cidr: '198.18.4.0/24', pool: 'assign' },
      ],
      servers: base.servers!.map((entry) => ({
        ...entry,
        bmc: { ...entry.bmc, settings: { ...(entry.bmc.settings as object), redfish } },
        macs: [mac],
        disks: disks.map(({ serial }) => ({ serial, sizeGb: 1 })),
      })),
      customers: [...base.customers!, { ...base.customers![0]!, id: 2, email: 'bruno@example.org', keys: [] }],
      services: base.services!.map((entry) => ({ ...entry, ip: address })),
    };
    const hostyard = owned.use(await startSite(site, env));
    await machine.bootsFrom(`tftp://10.0.2.2:${hostyard.tftpPort}/boot.ipxe`);
    const call = <Result>(method: string, path: string, params = {}, withKey = key) =>
      requestResult<Result>(hostyard, method, path, { key: withKey, params });
    const asOperator = <Result>(method: string, path: string, params = {}) =>
      call<Result>(method, `/operator/${path}`, params, operator.text);
    const legacy = async (path: string, form: Record<string, string>): Promise<unknown> =>
      (await request<Envelope>(hostyard, 'POST', path, { key, form: { server, ...form } })).body.result;
    const watch = async (of: string, withKey: string): Promise<Viewer> => {
      const { url } = await call<{ url: string }>('POST', '/v2/device/console', { service: of }, withKey);
      return watchConsoleAt(hostyard.url, url);
    };
    const resolver = new Resolver();
    resolver.setServers([nameserver]);
    const reverseName = (): Promise<string> =>
      resolver.reverse(address).then(
        ([name]) => name!,
        (error: NodeJS.ErrnoException) => error.code!,
      );

    {
      await using viewer = await watch(service, key);
      await call('POST', '/v2/device/power', { service, action: 'on' });
      await viewer.shows(canary);
    }
    const login = (await legacy('/ipmi/user', { username: 'former', action: 'createUser' })) as typeof redfishAdmin;
    assert.equal(await logsIn(controller, login), true);
    await legacy('/ipmi/image', { action: 'setImage', image: 'OS-F526.iso' });
    assert.equal(await legacy('/ipmi/image', { action: 'mountImage' }), 'Image Mounted');
    assert.notEqual(media.drive.image, undefined);
    const record = `${canary.toLowerCase()}.example.net`;
    await call('PUT', '/v2/dns/reverse', { ip: address, record });
    assert.equal(await reverseName(), record);

    const { hostname } = site.services![0]!;
    await asOperator('DELETE', 'service', { id: service, hostname });
    const stateOf = async (): Promise<string> => (await asOperator<OperatorDevice[]>('GET', 'device'))[0]!.state;
    await until(
      async () => {
        const state = await stateOf();
        assert.notEqual(state, 'quarantined', JSON.stringify(await asOperator('GET', 'reclaim')));
        return state === 'available';
      },
      { saw: async () => [await asOperator('GET', 'reclaim'), machine.printed()], patienceMs: eraseMs },
    );

    const order = { account: '2', type: 'dedicated', name: 'Server', hostname: 'second.example.org', server };
    const second = await asOperator<{ service: string }>('POST', 'service', order);
    const fields = { account: '2', name: 'own', scopes: ['all'] };
    const { key: secondKey } = await asOperator<{ key: string }>('POST', 'key', fields);
    for (const { path } of disks) {
      const content = await readFile(path);
      assert.deepEqual([path, content.length, content.findIndex((byte) => byte !== 0)], [path, diskBytes, -1]);
    }
    await using viewer = await watch(second.service, secondKey);
    await call('POST', '/v2/device/power', { service: second.service, action: 'on' }, secondKey);
    await viewer.shows('No bootable device');
    assert.ok(!viewer.text().includes(canary), viewer.text());
    assert.equal(await logsIn(controller, login), false);
    assert.equal(media.drive.image, undefined);
    await until(async () => (await reverseName()) === 'ENOTFOUND', { saw: reverseName });

    const certificates = await call<Certificate[]>('GET', `/v2/device/certificate/${second.service}`, {}, secondKey);
    assert.equal(certificates.length, 1);
    const verifyingKey = await call<CertificateKey>('GET', '/v2/device/certificate', {}, secondKey);
    const document = await verifyCertificate(certificates[0]!.signed, verifyingKey);
    assert.deepEqual([document.server, document.erasure, document.bmcusersremoved], [server, 'erased', '1']);
    assert.deepEqual(
      document.disks.map(({ serial, bytes, method }) => [serial, bytes, method]),
      [
        ['DISK-1', String(diskBytes), 'discard'],
        ['DISK-2', String(diskBytes), 'overwrite'],
      ],
    );
  });
});
