import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startLabBmc, type LabBmcOptions } from '#lab/bmc/bmc.ts';
import { noBootFlags } from '#lab/bmc/chassis.ts';
import type { LabBmcMalfunctions } from '#lab/bmc/malfunctions.ts';
import type { LabUser } from '#lab/bmc/users.ts';
import { setBootOptions } from '#protocols/ipmi/commands/boot.ts';
import { coldReset } from '#protocols/ipmi/commands/device.ts';
import { activatePayload } from '#protocols/ipmi/commands/payload.ts';
import { getSessionInfo } from '#protocols/ipmi/commands/session.ts';
import { getFruInventoryArea } from '#protocols/ipmi/commands/storage.ts';
import { getUserAccess } from '#protocols/ipmi/commands/user.ts';
import { openFleet } from '#protocols/ipmi/fleet.ts';
import { openIpmiSession } from '#test/support/ipmi-session.ts';
import { until } from '#test/support/until.ts';
import { describeBmcDriver, wrongPassword } from './conformance.ts';
import { requireCapability, type Bmc, type BmcCapability, type BootTarget, type ServerHints } from './driver.ts';
import { ipmiDriver } from './ipmi.ts';

const admin = { username: 'provider', password: 'correct horse' };
const timing = { bootMs: 1, cycleOffMs: 1, softOffMs: 1, absenceMs: 300 };
const slotsBesideProvider = 8;

async function startLab(options: Partial<LabBmcOptions> = {}) {
  const lab = await startLabBmc({ admin, timing, ...options });
  const fleet = await openFleet({ retransmitMs: 100, deadlineMs: 60_000 });
  const endpoint = { address: lab.address, port: lab.port };
  return {
    lab,
    fleet,
    endpoint,
    open: (login: { address?: string; password?: string } = {}, server?: ServerHints): Promise<Bmc> =>
      ipmiDriver(async () => fleet).open({ ...endpoint, ...admin, ...login }, server),
    async [Symbol.asyncDispose]() {
      await fleet.close();
      await lab.close();
    },
  };
}

describeBmcDriver('the IPMI driver with the lab BMC', {}, async () => {
  const { lab, fleet, endpoint, open, [Symbol.asyncDispose]: dispose } = await startLab();
  let typed = '';
  const type = lab.serial.type.bind(lab.serial);
  lab.serial.type = (bytes) => {
    typed += bytes.toString('latin1');
    type(bytes);
  };
  return {
    async open(access) {
      if (access === 'provider') return open();
      return open(access === 'wrong password' ? { password: wrongPassword } : { address: '127.213.1.1' });
    },
    power: async () => lab.chassis.power,
    nextBoot: async () => (lab.chassis.bootFlags.isValid ? (lab.chassis.bootFlags.device as BootTarget) : 'none'),
    async canLogIn(username, password) {
      await using client = fleet.bmc({ ...endpoint, username, password, privilege: 'operator' });
      return await client.chassisStatus().then(
        () => true,
        () => false,
      );
    },
    logIn: (username, password) => openIpmiSession({ ...endpoint, username, password }),
    firmware: '2.40 00000001',
    updateFirmware: (firmware) => lab.setMalfunctions({ firmware }),
    serial: async () => ({ print: (text) => lab.serial.print(text), typed: () => typed }),
    hardware: lab.server.hardware,
    freeUsers: slotsBesideProvider,
    lacks: ['media'],
    [Symbol.asyncDispose]: dispose,
  };
});

describe('the IPMI driver', () => {
  const testTimeout = (milliseconds = 60_000): AbortSignal => AbortSignal.timeout(milliseconds);
  const withCode = (code: string, message: RegExp) => ({ name: 'ApiError', code, message });

  const attempts: readonly [BmcCapability, { netFn: number; code: number }, (bmc: Bmc) => Promise<unknown>][] = [
    ['boot', setBootOptions, (bmc) => requireCapability(bmc, 'boot').setNext('pxe', testTimeout())],
    ['users', getUserAccess, (bmc) => requireCapability(bmc, 'users').create('customer', 'password', testTimeout())],
    [
      'serial',
      activatePayload,
      (bmc) => requireCapability(bmc, 'serial').open({ onData() {}, onEnd() {} }, 'fail', testTimeout()),
    ],
    ['inventory', getFruInventoryArea, (bmc) => requireCapability(bmc, 'inventory').read(testTimeout())],
    ['controller', coldReset, (bmc) => requireCapability(bmc, 'controller').reset(testTimeout())],
  ];
  for (const [capability, command, attempt] of attempts) {
    it(`reports a missing ${capability} if the BMC does not know the command`, async () => {
      await using fixture = await startLab();
      fixture.lab.setMalfunctions({ unsupportedCommands: [command] });
      const message = new RegExp(`does not support .*${capability}`);
      await assert.rejects(attempt(await fixture.open()), withCode('capability_missing', message));
    });
  }

  it('rejects a change to a user that the BMC accepts but does not make', async () => {
    await using fixture = await startLab();
    const { users } = await fixture.open();
    await users!.create('customer', 'a password', testTimeout());
    fixture.lab.setMalfunctions({ ignoresUserChanges: true });
    for (const attempt of [
      users!.setEnabled('customer', false, testTimeout()),
      users!.remove('customer', testTimeout()),
    ])
      await assert.rejects(attempt, withCode('bmc_error', /./));
  });

  it('restarts a BMC that cannot list its sessions, so that a removed user has none', async () => {
    await using fixture = await startLab();
    const { users } = await fixture.open();
    await users!.create('customer', 'a password', testTimeout());
    await using session = await openIpmiSession({ ...fixture.endpoint, username: 'customer', password: 'a password' });
    assert.equal(await session.works(), true);
    fixture.lab.setMalfunctions({ unsupportedCommands: [getSessionInfo] });
    await users!.remove('customer', testTimeout());
    await until(() => fixture.lab.sessionCount() === 0);
    assert.equal(await session.works(), false);
    assert.deepEqual(await users!.list(testTimeout()), [admin.username]);
  });

  it('lists and removes a user without a name', async () => {
    await using fixture = await startLab();
    const { users } = await fixture.open();
    await using client = fixture.fleet.bmc({ ...fixture.endpoint, ...admin });
    await client.setUserPrivilege(5, 'administrator');
    await client.enableUser(5);
    assert.deepEqual(await users!.list(testTimeout()), [admin.username, 'slot 5']);
    await users!.remove('slot 5', testTimeout());
    assert.deepEqual(await users!.list(testTimeout()), [admin.username]);
    assert.deepEqual((await client.users()).find(({ id }) => id === 5)?.isEnabled, false);
  });

  it("lists and removes a user with the provider's name, and keeps the provider's own", async () => {
    const provider = {
      ...admin,
      name: admin.username,
      privilege: 'administrator',
      isEnabled: true,
      hasMessaging: true,
    };
    const intruder = { ...provider, password: 'another password', isEnabled: false };
    const users = [{ ...intruder, name: '', privilege: 'none' }, intruder, provider, intruder] as LabUser[];
    const load = () => ({ power: 'off' as const, bootFlags: noBootFlags, users });
    await using fixture = await startLab({ state: { load, save() {} } });
    const bmc = await fixture.open();
    assert.deepEqual(await bmc.users!.list(testTimeout()), ['slot 2', admin.username, 'slot 4']);
    for (const name of ['slot 2', 'slot 4']) await bmc.users!.remove(name, testTimeout());
    assert.deepEqual(await bmc.users!.list(testTimeout()), [admin.username]);
    await using again = await fixture.open();
    assert.equal(await again.power.state(testTimeout()), 'off');
  });

  it("sets the next boot for the server's firmware, or BIOS if unknown", async () => {
    await using fixture = await startLab();
    for (const server of [{ firmware: 'uefi' }, {}, { firmware: 'bios' }] as const) {
      await using bmc = await fixture.open({}, server);
      await bmc.boot!.setNext('pxe', testTimeout());
      assert.equal(fixture.lab.chassis.bootFlags.isUefi, server.firmware === 'uefi');
    }
  });

  it('reads the sensors of BMCs that send records in pieces, too much or for ever, lose a reservation, or leave the judgement to the reader', async () => {
    const kinds: readonly LabBmcMalfunctions['sensors'][] = [
      { maxRecordBytes: 16 },
      { maxRecordBytes: 16, extraBytes: 600 },
      { repeatsRecords: true },
      { losesReservationAt: 3 },
      { omitsStates: true },
    ];
    await using healthy = await startLab();
    healthy.lab.chassis.turnOn();
    healthy.lab.server.hardware.setCondition('cpu', 'warning');
    const expected = await (await healthy.open()).sensors!.read(testTimeout());
    assert.equal(expected.find(({ name }) => name === 'CPU Temp')?.health, 'warning');
    for (const sensors of kinds) {
      await using fixture = await startLab();
      fixture.lab.setMalfunctions({ sensors: sensors! });
      fixture.lab.chassis.turnOn();
      fixture.lab.server.hardware.setCondition('cpu', 'warning');
      const readings = await (await fixture.open()).sensors!.read(testTimeout());
      if (sensors!.omitsStates !== true) assert.deepEqual(readings, expected);
      const healthOf = (name: string) => readings.find((reading) => reading.name === name)?.health;
      assert.deepEqual([healthOf('CPU Temp'), healthOf('Fan 1')], ['warning', 'ok']);
      // Without states or thresholds, nothing says that it is fine.
      if (sensors!.omitsStates === true) assert.deepEqual([healthOf('12V'), healthOf('PSU 1')], ['unknown', 'unknown']);
    }
  });

  it('reports a power change only after the BMC does', async () => {
    await using fixture = await startLab();
    const { lab } = fixture;
    const bmc = await fixture.open();
    lab.setMalfunctions({ reportsPower: 'off' });
    const switching = bmc.power.set('on', testTimeout());
    await until(() => lab.chassis.power === 'on');
    lab.setMalfunctions({});
    await switching;
    lab.setMalfunctions({ reportsPower: 'on' });
    await assert.rejects(bmc.power.set('off', testTimeout(600)), withCode('bmc_error', /did not change/));
  });

  it('waits longer for a model that is slower than others', async () => {
    await using lab = await startLabBmc({ admin, timing });
    lab.setMalfunctions({ responseDelayMs: 100 });
    // By default, a request waits for 40 ms.
    await using fleet = await openFleet({ retransmitMs: 5, deadlineMs: 600, settleMs: 100 });
    const driver = ipmiDriver(async () => fleet);
    const settings = { address: lab.address, port: lab.port, ...admin };
    await using impatient = await driver.open(settings);
    await assert.rejects(impatient.power.state(testTimeout()), withCode('bmc_unreachable', /./));
    await using patient = await driver.open(settings, { waits: { responseMs: 4000, commandMs: 30_000 } });
    await patient.power.set('on', testTimeout());
    await patient.boot!.setNext('pxe', testTimeout());
    const line = await patient.serial!.open({ onData: () => {}, onEnd: () => {} }, 'fail', testTimeout());
    await line.write(Buffer.from('x'));
    await line.close();
    assert.equal(lab.chassis.counts.on, 1);
  });

  it('reports an unknown outcome if the BMC stops responding during a reset', async () => {
    await using fixture = await startLab();
    const { lab } = fixture;
    const bmc = await fixture.open();
    await bmc.power.set('on', testTimeout());
    lab.setMalfunctions({ resetsOnControl: true });
    await assert.rejects(bmc.power.reset(testTimeout()), withCode('bmc_unreachable', /unknown whether/));
    assert.equal(lab.chassis.counts.reset, 1);
  });

  it('does not report a closed connection as a missing capability', async () => {
    await using fixture = await startLab();
    const bmc = await fixture.open();
    await bmc[Symbol.asyncDispose]();
    await assert.rejects(bmc.power.state(testTimeout()), withCode('bmc_error', /./));
  });
});
