// The Redfish driver through the suite of all controller drivers, against the lab's service in both layouts and both
// generations, and what only a simulator with faults on demand can show.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '#kernel/fault.ts';
import { startLabRedfish, type LabRedfish, type LabRedfishOptions } from '#lab/redfish/redfish.ts';
import { describeBmcDriver, wrongPassword } from '../conformance.ts';
import type { BootTarget } from '../driver.ts';
import { openRedfish } from './driver.ts';

const admin = { username: 'provider', password: 'correct horse' };
const timing = { bootMs: 1, cycleOffMs: 1, softOffMs: 1, absenceMs: 300 };
const placesBesideProvider = 8;

function settingsOf({ address, port, fingerprint }: LabRedfish) {
  return { address, port, fingerprint, ...admin };
}
const start = (options: Partial<LabRedfishOptions> = {}) => startLabRedfish({ admin, timing, ...options });
const soon = (milliseconds = 60_000): AbortSignal => AbortSignal.timeout(milliseconds);
const faultWith = (code: string, text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Fault, String(error));
  assert.equal(error.code, code, error.internal);
  assert.match(error.message, text);
  return true;
};

/** Gives up what keeps asking, once it has been answered a few times: however slow the machine is, it then knows the answer. */
async function givenUp(lab: LabRedfish, work: (signal: AbortSignal) => Promise<unknown>, when = () => true) {
  const patience = new AbortController();
  const outcome = work(patience.signal);
  outcome.catch(() => {});
  while (!when()) await sleep(10);
  const answered = lab.answered();
  while (lab.answered() < answered + 3) await sleep(10);
  patience.abort();
  return outcome;
}

/** An image at one path, with or without a query, and nothing anywhere else. */
async function startImages(): Promise<{ image: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    response.statusCode = request.url?.split('?')[0] === '/disc.iso' ? 200 : 404;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    image: `http://127.0.0.1:${port}/disc.iso`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const kinds = [
  { layout: 'systems', generation: 'present' },
  { layout: 'managers', generation: 'present' },
  { layout: 'managers', generation: 'early' },
] as const;
for (const kind of kinds) {
  const title = `the Redfish driver on a service of the ${kind.generation} kind with its media under ${kind.layout}`;
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
      async logsIn(username, password) {
        await using theirs = openRedfish({ ...settings, username, password });
        const isIn = await theirs.power.state(soon()).then(
          () => true,
          () => false,
        );
        return isIn && lab.accounts.withPassword(username, password)?.role === 'Operator';
      },
      serial: () => assert.fail('it has none'),
      image: images.image,
      drive: async () => lab.drive.image,
      freeUsers: placesBesideProvider,
      lacks: ['serial'],
      async [Symbol.asyncDispose]() {
        await images[Symbol.asyncDispose]();
        await lab.close();
      },
    };
  });
}

describe('the Redfish driver', { concurrency: 2 }, () => {
  it('shows its hand only to the certificate on record, or to one of an authority that it was given', async () => {
    await using lab = await start();
    await using other = await start();
    const { fingerprint, ...settings } = settingsOf(lab);
    const asked = [{ ...settings, fingerprint: other.fingerprint }, settings];
    for (const each of asked) {
      await using bmc = openRedfish(each);
      await assert.rejects(bmc.power.state(soon()), faultWith('bmc_error', /certificate/));
    }
    assert.equal(lab.sessions.count, 0);
    await using plain = openRedfish({ ...settings, fingerprint: fingerprint.replaceAll(':', '').toLowerCase() });
    assert.equal(await plain.power.state(soon()), 'off');
    await using trusting = openRedfish({ ...settings, ca: lab.certificate });
    assert.equal(await trusting.power.state(soon()), 'off');
  });

  it('keeps one session, opens another when that has lapsed, and leaves none behind', async () => {
    await using lab = await start();
    const bmc = openRedfish(settingsOf(lab));
    await Promise.all([bmc.power.state(soon()), bmc.users!.list(soon()), bmc.inventory!.read(soon())]);
    assert.equal(lab.sessions.count, 1);
    lab.sessions.endAll();
    await Promise.all([bmc.power.set('on', soon()), bmc.users!.list(soon())]);
    assert.deepEqual([lab.sessions.count > 0, lab.chassis.power], [true, 'on']);
    await bmc[Symbol.asyncDispose]();
    await assert.rejects(bmc.power.state(soon()), faultWith('bmc_error', /./));
  });

  it('ends its session when it is closed', async () => {
    await using lab = await start();
    const bmc = openRedfish(settingsOf(lab));
    await bmc.power.state(soon());
    await bmc[Symbol.asyncDispose]();
    assert.equal(lab.sessions.count, 0);
  });

  it('keeps the mode of the firmware when it chooses the next boot', async () => {
    for (const generation of ['present', 'early'] as const) {
      await using lab = await start({ generation });
      await using bmc = openRedfish(settingsOf(lab));
      for (const target of ['pxe', 'none'] as const) {
        await bmc.boot!.setNext(target, soon());
        assert.equal(lab.firmwareMode(), 'UEFI');
      }
    }
  });

  it('chooses the next boot in the mode that the server is known to have', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab), { firmware: 'bios' });
    await bmc.boot!.setNext('pxe', soon());
    assert.equal(lab.firmwareMode(), 'Legacy');
  });

  it('repeats a change once where somebody else was quicker, and not for ever', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    lab.setFaults({ staleChanges: 1 });
    await bmc.boot!.setNext('pxe', soon());
    assert.equal(lab.chassis.bootFlags.device, 'pxe');
    lab.setFaults({ staleChanges: 2 });
    await assert.rejects(bmc.boot!.setNext('cdrom', soon()), faultWith('bmc_error', /./));
    assert.equal(lab.chassis.bootFlags.device, 'pxe');
  });

  it('follows a task to its end, good or bad', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    lab.setFaults({ resetTask: 'Completed' });
    await bmc.power.set('on', soon());
    await bmc.power.reset(soon());
    assert.equal(lab.chassis.counts.reset, 1);
    lab.setFaults({ resetTask: 'Exception' });
    await assert.rejects(bmc.power.reset(soon()), faultWith('bmc_error', /./));
  });

  it('waits for a power that is just changing, and guesses nothing', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    assert.equal(await bmc.power.state(soon()), 'off');
    lab.setFaults({ reportsPower: 'PoweringOn' });
    await assert.rejects(
      givenUp(lab, (signal) => bmc.power.state(signal)),
      faultWith('bmc_error', /just changing/),
    );
    const state = bmc.power.state(soon());
    lab.chassis.turnOn();
    lab.setFaults({});
    assert.equal(await state, 'on');
    lab.setFaults({ reportsPower: 'Paused' });
    await assert.rejects(bmc.power.set('off', soon()), faultWith('bmc_error', /does not say/));
    assert.equal(lab.chassis.power, 'on');
  });

  it('does not call the power switched before the service shows it', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    lab.setFaults({ reportsPower: 'Off' });
    const isOn = (): boolean => lab.chassis.power === 'on';
    await assert.rejects(
      givenUp(lab, (signal) => bmc.power.set('on', signal), isOn),
      faultWith('bmc_error', /has not followed/),
    );
    assert.equal(lab.chassis.counts.on, 1);
  });

  it('uses only the kinds of reset that the service lists', async () => {
    for (const generation of ['present', 'early'] as const) {
      await using lab = await start({ generation });
      await using bmc = openRedfish(settingsOf(lab));
      lab.setFaults({ resetTypes: ['On', 'GracefulShutdown'] });
      await bmc.power.set('on', soon());
      await assert.rejects(bmc.power.set('off', soon()), faultWith('capability_missing', /has no power/));
      await assert.rejects(bmc.power.reset(soon()), faultWith('capability_missing', /has no power/));
      assert.equal(lab.chassis.power, 'on');
    }
  });

  it('says that it does not know where the connection breaks on a reset, and does not repeat it', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    await bmc.power.set('on', soon());
    lab.setFaults({ breaksOnReset: true });
    await assert.rejects(bmc.power.reset(soon()), faultWith('bmc_unreachable', /not known whether/));
    assert.equal(lab.chassis.counts.reset, 1);
  });

  it('tells silence from a service that is busy, and waits for either to end', async () => {
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    lab.setFaults({ isSilent: true });
    await assert.rejects(bmc.power.state(soon(300)), faultWith('bmc_unreachable', /./));
    lab.setFaults({ isBusy: true });
    await assert.rejects(
      givenUp(lab, (signal) => bmc.power.state(signal)),
      faultWith('bmc_error', /./),
    );
    const waiting = bmc.power.state(soon());
    lab.setFaults({});
    assert.equal(await waiting, 'off');
  });

  it('does not call an image inserted that the service does not show', async () => {
    await using images = await startImages();
    await using lab = await start();
    await using bmc = openRedfish(settingsOf(lab));
    lab.setFaults({ ignoresMedia: true });
    const isIn = (): boolean => lab.drive.image !== undefined;
    await assert.rejects(
      givenUp(lab, (signal) => bmc.media!.insert(images.image, signal), isIn),
      faultWith('bmc_unreachable', /has not shown it/),
    );
  });

  it('knows the parts of the server and the addresses of its ports', async () => {
    await using lab = await start({ macs: ['52:54:00:aa:bb:01'] });
    await using bmc = openRedfish(settingsOf(lab));
    const parts = await bmc.inventory!.read(soon());
    assert.deepEqual(parts['CPU'], ['Intel Xeon E5-2620 v4 8 cores']);
    assert.deepEqual(parts['RAM'], ['16 GB DDR4 Lab Memory', '16 GB DDR4 Lab Memory']);
    assert.match(parts['Hard Drive']![0]!, /^960 GB SATA SSD Lab SSD serial /);
    assert.deepEqual(await bmc.inventory!.macs!(soon()), ['52:54:00:aa:bb:01']);
  });

  it('finds its own among several systems only where it was told which', async () => {
    await using lab = await start({ uuid: '0a1b2c3d-0000-4000-8000-000000000001' });
    await using named = openRedfish({ ...settingsOf(lab), system: '0A1B2C3D-0000-4000-8000-000000000001' });
    assert.equal(await named.power.state(soon()), 'off');
    await using other = openRedfish({ ...settingsOf(lab), system: 'another' });
    await assert.rejects(other.power.state(soon()), faultWith('bmc_error', /./));
  });

  describe('with a service that is no Redfish service', () => {
    let other: { url: URL; answer: string; status: number } & AsyncDisposable;
    before(async () => {
      const { createServer: secure } = await import('node:https');
      const { labCertificate } = await import('#lab/redfish/redfish.ts');
      const { key, certificate } = labCertificate();
      const state = { answer: '', status: 200 };
      const server = secure({ key, cert: certificate }, (_, response) => {
        response.statusCode = state.status;
        response.end(state.answer);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
      other = Object.assign(state, {
        url,
        async [Symbol.asyncDispose]() {
          server.close();
          server.closeAllConnections();
        },
        certificate,
      });
    });
    after(() => other[Symbol.asyncDispose]());

    for (const [what, answer] of [
      ['no JSON', '<html>'],
      ['a list', '[]'],
      ['nothing', ''],
      ['no sessions', '{"Links": {}}'],
      ['a link that leads away', '{"Links": {"Sessions": {"@odata.id": "https://192.0.2.1/sessions"}}}'],
    ] as const) {
      it(`is not led astray by ${what}`, async () => {
        other.answer = answer;
        const { certificate } = other as unknown as { certificate: string };
        await using bmc = openRedfish({
          ...admin,
          address: '127.0.0.1',
          port: Number(other.url.port),
          ca: certificate,
        });
        await assert.rejects(bmc.power.state(soon()), faultWith('bmc_error', /./));
      });
    }
  });
});
