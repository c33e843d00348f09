import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { labCertificate, startLabRedfish, type LabRedfish, type LabRedfishOptions } from '#lab/redfish/redfish.ts';
import { personalities } from '#lab/redfish/personalities.ts';
import { describeBmcDriver, wrongPassword } from '../conformance.ts';
import type { BootTarget } from '../driver.ts';
import { until } from '#test/support/until.ts';
import { openRedfish } from './driver.ts';
import { knownServices } from './known-services.ts';

const admin = { username: 'provider', password: 'correct horse' };
const timing = { bootMs: 1, cycleOffMs: 1, softOffMs: 1, absenceMs: 300 };
const slotsBesideProvider = 8;

function settingsOf({ address, port, fingerprint }: LabRedfish) {
  return { address, port, fingerprint, ...admin };
}
const start = (options: Partial<LabRedfishOptions> = {}) => startLabRedfish({ admin, timing, ...options });
const testTimeout = (milliseconds = 60_000): AbortSignal => AbortSignal.timeout(milliseconds);
const withCode = (code: string, message: RegExp) => ({ name: 'ApiError', code, message });

/** Aborts the work after a few responses, so that it has seen the answer however slow the test machine is. */
async function abortAfterResponses(
  lab: LabRedfish,
  work: (signal: AbortSignal) => Promise<unknown>,
  when = () => true,
) {
  const controller = new AbortController();
  const outcome = work(controller.signal);
  outcome.catch(() => {});
  await until(when);
  const responses = lab.requestCount();
  await until(() => lab.requestCount() >= responses + 3);
  controller.abort();
  return outcome;
}

async function listen(server: Server): Promise<{ port: number } & AsyncDisposable> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Serves an image at one path, with or without a query, and 404 elsewhere. */
async function startImages(): Promise<{ image: string } & AsyncDisposable> {
  const images = createServer((request, response) => {
    response.statusCode = request.url?.split('?')[0] === '/disc.iso' ? 200 : 404;
    response.end();
  });
  const server = await listen(images);
  return Object.assign(server, { image: `http://127.0.0.1:${server.port}/disc.iso` });
}

const kinds: Record<string, Partial<LabRedfishOptions>> = {
  'a service with media under its system': { layout: 'systems' },
  'a service with media under its manager': { layout: 'managers' },
  'a service of the early generation': { generation: 'early' },
  ...Object.fromEntries(
    Object.entries(personalities).map(([name, personality]) => [`${name}’s habits`, { personality }]),
  ),
};
for (const [name, kind] of Object.entries(kinds)) {
  const title = `the Redfish driver with ${name}`;
  describeBmcDriver(title, {}, async () => {
    const lab = await start(kind);
    const images = await startImages();
    const settings = settingsOf(lab);
    return {
      async open(access) {
        if (access === 'provider') return openRedfish(settings);
        if (access === 'wrong password') return openRedfish({ ...settings, password: wrongPassword });
        return openRedfish({ ...settings, address: '127.213.1.1' });
      },
      power: async () => lab.chassis.power,
      nextBoot: async () => (lab.chassis.bootFlags.isValid ? (lab.chassis.bootFlags.device as BootTarget) : 'none'),
      async canLogIn(username, password) {
        await using client = openRedfish({ ...settings, username, password });
        const canRead = await client.power.state(testTimeout()).then(
          () => true,
          () => false,
        );
        return canRead && lab.accounts.authenticate(username, password)?.role === 'Operator';
      },
      async logIn(username, password) {
        const client = openRedfish({ ...settings, username, password });
        return {
          works: () =>
            client.power.state(testTimeout()).then(
              () => true,
              () => false,
            ),
          [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
        };
      },
      firmware: '1.0',
      updateFirmware: (bmc) => lab.setMalfunctions({ firmware: { bmc } }),
      serial: () => assert.fail('Redfish has no serial line'),
      image: images.image,
      insertedImage: async () => lab.drive.image,
      hardware: lab.hardware,
      freeUsers: slotsBesideProvider - (kind.personality?.reservedSlots ?? 0),
      cannotDisable: kind.personality?.accountsLackEnabled === true,
      lacks: ['serial'],
      async [Symbol.asyncDispose]() {
        await images[Symbol.asyncDispose]();
        await lab.close();
      },
    };
  });
}

describe('the Redfish driver', { concurrency: 2 }, () => {
  it('sends credentials only to the pinned certificate or to one of a configured authority', async () => {
    await using lab = await start();
    await using other = await start();
    const { fingerprint, ...settings } = settingsOf(lab);
    const untrusted = [
      [{ ...settings, fingerprint: other.fingerprint }, new RegExp(`: its fingerprint is ${fingerprint};`)],
      [settings, /: self-signed certificate; check fingerprint or ca/],
    ] as const;
    for (const [candidate, internal] of untrusted) {
      await using bmc = openRedfish(candidate);
      await assert.rejects(bmc.power.state(testTimeout()), { ...withCode('bmc_error', /certificate/), internal });
    }
    await using wrong = openRedfish({ ...settings, fingerprint, password: 'wrong' });
    await assert.rejects(wrong.power.state(testTimeout()), { internal: /^user name or password rejected: status 401/ });
    assert.equal(lab.sessions.count, 0);
    await using plain = openRedfish({ ...settings, fingerprint: fingerprint.replaceAll(':', '').toLowerCase() });
    assert.equal(await plain.power.state(testTimeout()), 'off');
    await using trusting = openRedfish({ ...settings, ca: lab.certificate });
    assert.equal(await trusting.power.state(testTimeout()), 'off');
  });

  it('uses one session, and opens another when it expires', async () => {
    await using lab = await start();
    const bmc = openRedfish(settingsOf(lab));
    await Promise.all([
      bmc.power.state(testTimeout()),
      bmc.users!.list(testTimeout()),
      bmc.inventory!.read(testTimeout()),
    ]);
    assert.equal(lab.sessions.count, 1);
    lab.sessions.endAll();
    await Promise.all([bmc.power.set('on', testTimeout()), bmc.users!.list(testTimeout())]);
    assert.deepEqual([lab.sessions.count > 0, lab.chassis.power], [true, 'on']);
    await bmc[Symbol.asyncDispose]();
    await assert.rejects(bmc.power.state(testTimeout()), withCode('bmc_error', /./));
  });

  it('deletes its session on close', async () => {
    await using lab = await start();
    const bmc = openRedfish(settingsOf(lab));
    await bmc.power.state(testTimeout());
    await bmc[Symbol.asyncDispose]();
    assert.equal(lab.sessions.count, 0);
  });

  it('keeps the firmware mode when it sets the next boot', async () => {
    for (const generation of ['current', 'early'] as const) {
      await using lab = await start({ generation });
      await using bmc = openRedfish(settingsOf(lab));
      for (const target of ['pxe', 'none'] as const) {
        await bmc.boot!.setNext(target, testTimeout());
        assert.equal(lab.firmwareMode(), 'UEFI');
      }
    }
  });

  it('sets the next boot in the known firmware mode', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab), { firmware: 'bios' });
    await bmc.boot!.setNext('pxe', testTimeout());
    assert.equal(lab.firmwareMode(), 'Legacy');
  });

  it('repeats a change once after a conflict', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    lab.setMalfunctions({ staleChanges: 1 });
    await bmc.boot!.setNext('pxe', testTimeout());
    assert.equal(lab.chassis.bootFlags.device, 'pxe');
    lab.setMalfunctions({ staleChanges: 2 });
    await assert.rejects(bmc.boot!.setNext('cdrom', testTimeout()), withCode('bmc_error', /./));
    assert.equal(lab.chassis.bootFlags.device, 'pxe');
  });

  it('follows a task to its end', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    lab.setMalfunctions({ resetTask: 'Completed' });
    await bmc.power.set('on', testTimeout());
    await bmc.power.reset(testTimeout());
    assert.equal(lab.chassis.counts.reset, 1);
    lab.setMalfunctions({ resetTask: 'Exception' });
    await assert.rejects(bmc.power.reset(testTimeout()), withCode('bmc_error', /./));
  });

  it('waits for a pending power change and does not guess', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    assert.equal(await bmc.power.state(testTimeout()), 'off');
    lab.setMalfunctions({ reportsPower: 'PoweringOn' });
    await assert.rejects(
      abortAfterResponses(lab, (signal) => bmc.power.state(signal)),
      withCode('bmc_error', /changing its power state/),
    );
    const state = bmc.power.state(testTimeout());
    lab.chassis.turnOn();
    lab.setMalfunctions({});
    assert.equal(await state, 'on');
    lab.setMalfunctions({ reportsPower: 'Paused' });
    await assert.rejects(bmc.power.set('off', testTimeout()), withCode('bmc_error', /does not report/));
    assert.equal(lab.chassis.power, 'on');
  });

  it('reports a power change only after the service does', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    lab.setMalfunctions({ reportsPower: 'Off' });
    const isOn = (): boolean => lab.chassis.power === 'on';
    await assert.rejects(
      abortAfterResponses(lab, (signal) => bmc.power.set('on', signal), isOn),
      withCode('bmc_error', /did not change/),
    );
    assert.equal(lab.chassis.counts.on, 1);
  });

  it('uses only the reset types that the service lists', async () => {
    for (const generation of ['current', 'early'] as const) {
      await using lab = await start({ generation });
      await using bmc = openRedfish(settingsOf(lab));
      lab.setMalfunctions({ resetTypes: ['On', 'GracefulShutdown'] });
      await bmc.power.set('on', testTimeout());
      await assert.rejects(
        bmc.power.set('off', testTimeout()),
        withCode('capability_missing', /does not support power/),
      );
      await assert.rejects(bmc.power.reset(testTimeout()), withCode('capability_missing', /does not support power/));
      assert.equal(lab.chassis.power, 'on');
    }
  });

  it('reports an unknown outcome if the connection breaks during a reset, and does not repeat it', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    await bmc.power.set('on', testTimeout());
    lab.setMalfunctions({ breaksOnReset: true });
    await assert.rejects(bmc.power.reset(testTimeout()), withCode('bmc_unreachable', /unknown whether/));
    assert.equal(lab.chassis.counts.reset, 1);
  });

  it('distinguishes an unreachable service from a busy one, and waits for both', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    lab.setMalfunctions({ isSilent: true });
    await assert.rejects(bmc.power.state(testTimeout(300)), withCode('bmc_unreachable', /./));
    lab.setMalfunctions({ isBusy: true });
    await assert.rejects(
      abortAfterResponses(lab, (signal) => bmc.power.state(signal)),
      withCode('bmc_error', /./),
    );
    const waiting = bmc.power.state(testTimeout());
    lab.setMalfunctions({});
    assert.equal(await waiting, 'off');
  });

  it('waits as long for a response as its model needs', async () => {
    await using lab = await start();
    lab.setMalfunctions({ responseDelayMs: 100 });
    await using impatient = openRedfish(settingsOf(lab), { waits: { responseMs: 40, commandMs: 8000 } });
    await assert.rejects(impatient.power.state(testTimeout(600)), withCode('bmc_unreachable', /./));
    await using patient = openRedfish(settingsOf(lab), { waits: { responseMs: 4000, commandMs: 8000 } });
    await patient.power.set('on', testTimeout());
    assert.equal(lab.chassis.power, 'on');
  });

  it('does not report an image as inserted before the service shows it', async () => {
    await using images = await startImages();
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    lab.setMalfunctions({ ignoresMedia: true });
    const canRead = (): boolean => lab.drive.image !== undefined;
    await assert.rejects(
      abortAfterResponses(lab, (signal) => bmc.media!.insert(images.image, signal), canRead),
      withCode('bmc_unreachable', /does not show it/),
    );
  });

  it('reads the hardware and the MAC addresses', async () => {
    await using lab = await start({ macs: ['52:54:00:aa:bb:01'] });
    await using bmc = openRedfish(settingsOf(lab));
    const parts = await bmc.inventory!.read(testTimeout());
    assert.deepEqual(parts['CPU'], ['Intel Xeon E5-2620 v4 8 cores']);
    assert.deepEqual(parts['RAM'], ['16 GB DDR4 Lab Memory', '16 GB DDR4 Lab Memory']);
    assert.match(parts['Hard Drive']![0]!, /^480 GB SATA SSD Lab SSD serial /);
    assert.deepEqual(await bmc.inventory!.macs!(testTimeout()), ['52:54:00:aa:bb:01']);
  });

  for (const name of ['ilo', 'lenovo', 'openbmc'] as const)
    it(`lists the disks where ${name} keeps them`, async () => {
      await using lab = await start({ personality: personalities[name] });
      await using bmc = openRedfish(settingsOf(lab));
      const disks = (await bmc.inventory!.read(testTimeout()))['Hard Drive']!;
      assert.equal(disks.filter((disk) => disk.startsWith('480 GB SATA SSD Lab SSD serial ')).length, 2);
      assert.deepEqual(disks.slice(2), name === 'lenovo' ? ['1 part that the BMC does not show'] : []);
    });

  for (const { vendors, behaviour } of knownServices)
    it(`needs fewer attempts with a service of ${vendors[0]}`, async () => {
      const personality = Object.values(personalities).find(({ vendor }) => vendors.includes(vendor))!;
      await using images = await startImages();
      const countRequests = async (vendor: string): Promise<number> => {
        await using lab = await start({ personality: { ...personality, vendor } });
        await using bmc = openRedfish(settingsOf(lab));
        await bmc.boot!.setNext('cdrom', testTimeout());
        await bmc.media!.insert(images.image, testTimeout());
        return lab.requestCount();
      };
      assert.ok(
        (await countRequests(personality.vendor)) < (await countRequests('Unknown')),
        JSON.stringify(behaviour),
      );
    });

  it('names an outdated TLS version as such, not as a wrong certificate', async () => {
    const { key, certificate: cert, fingerprint } = labCertificate();
    const outdated = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await using server = await listen(createSecureServer({ key, cert, ...outdated }));
    await using bmc = openRedfish({ address: '127.0.0.1', port: server.port, fingerprint, ...admin });
    await assert.rejects(bmc.power.state(testTimeout()), withCode('bmc_error', /TLS 1\.2/));
  });

  it('does not mistake a service without a place to sign in for one without power control', async () => {
    const { key, certificate: cert, fingerprint } = labCertificate();
    const root = { Links: { Sessions: { '@odata.id': '/redfish/v1/Sessions' } } };
    const service = createSecureServer({ key, cert }, (request, response) => {
      response.statusCode = request.method === 'GET' ? 200 : 404;
      response.end(request.method === 'GET' ? JSON.stringify(root) : '');
    });
    await using server = await listen(service);
    await using bmc = openRedfish({ address: '127.0.0.1', port: server.port, fingerprint, ...admin });
    await assert.rejects(bmc.power.state(testTimeout()), { name: 'ApiError', code: 'bmc_error' });
  });

  it('reads the firmware versions of the BMC and the BIOS', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    assert.deepEqual(await bmc.inventory!.firmware!(testTimeout()), { bmc: '1.0', bios: '2.1' });
    lab.setMalfunctions({ firmware: { bios: '2.2' } });
    assert.deepEqual(await bmc.inventory!.firmware!(testTimeout()), { bmc: '1.0', bios: '2.2' });
  });

  it('reports accounts that cannot be disabled, and a change that the service does not make', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    await bmc.users!.create('customer', 'a password', testTimeout());
    const disable = () => bmc.users!.setEnabled('customer', false, testTimeout());
    lab.setMalfunctions({ lacksEnabled: true });
    await assert.rejects(disable(), withCode('capability_missing', /users/));
    lab.setMalfunctions({ ignoresAccountChanges: true });
    await assert.rejects(disable(), withCode('bmc_error', /./));
  });

  it('picks its system by id or UUID if there are several', async () => {
    await using lab = await start({ uuid: '0a1b2c3d-0000-4000-8000-000000000001' });
    await using named = openRedfish({ ...settingsOf(lab), system: '0A1B2C3D-0000-4000-8000-000000000001' });
    assert.equal(await named.power.state(testTimeout()), 'off');
    await using other = openRedfish({ ...settingsOf(lab), system: 'another' });
    await assert.rejects(other.power.state(testTimeout()), withCode('bmc_error', /./));
  });

  for (const [what, answer] of [
    ['invalid JSON', '<html>'],
    ['an array', '[]'],
    ['nothing', ''],
    ['no sessions', '{"Links": {}}'],
    ['a link to another host', '{"Links": {"Sessions": {"@odata.id": "https://192.0.2.1/sessions"}}}'],
  ] as const) {
    it(`rejects ${what}`, async () => {
      const { key, certificate } = labCertificate();
      await using server = await listen(
        createSecureServer({ key, cert: certificate }, (_, response) => response.end(answer)),
      );
      await using bmc = openRedfish({ ...admin, address: '127.0.0.1', port: server.port, ca: certificate });
      await assert.rejects(bmc.power.state(testTimeout()), withCode('bmc_error', /./));
    });
  }
});
