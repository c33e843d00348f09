// The lab BMC and our IPMI client, tested against each other over a real socket.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { IpmiError } from '#protocols/ipmi/error.ts';
import type { Bmc } from '#protocols/ipmi/bmc.ts';
import { openFleet, type BmcLogin, type Fleet, type FleetOptions } from '#protocols/ipmi/fleet.ts';
import { until } from '#test/support/until.ts';
import { startLabBmc, type LabBmc, type LabBmcOptions, type LabBmcState } from './bmc.ts';

const admin = { username: 'provider', password: 'correct horse' };
const quickLab = { bootMs: 20, cycleOffMs: 20, softOffMs: 20, absenceMs: 300 };
const quick: FleetOptions = { retransmitMs: 100, attempts: 4, settleMs: 60, pollMs: 5, offMs: 5, deadlineMs: 5_000 };

interface Fixtures {
  lab: LabBmc;
  fleet: Fleet;
  bmc: Bmc;
  login: BmcLogin;
}

async function startFixtures(
  context: TestContext,
  options: Partial<LabBmcOptions> = {},
  fleetOptions: FleetOptions = {},
): Promise<Fixtures> {
  const lab = await startLabBmc({ admin, ...options, timing: { ...quickLab, ...options.timing } });
  const fleet = await openFleet({ ...quick, ...fleetOptions });
  context.after(async () => {
    await fleet.close();
    await lab.close();
  });
  const login = { address: lab.address, port: lab.port, ...admin };
  return { lab, fleet, login, bmc: fleet.bmc(login) };
}

const failsWith = (kind: IpmiError['kind']) => (error: unknown) => error instanceof IpmiError && error.kind === kind;

describe('a session', () => {
  it('is opened once, used for every command, and closed', async (context) => {
    const { bmc, lab } = await startFixtures(context);
    await Promise.all([bmc.deviceId(), bmc.chassisStatus(), bmc.chassisStatus()]);
    assert.equal(lab.sessionCount(), 1);
    await bmc.close();
    assert.equal(lab.sessionCount(), 0);
    await assert.rejects(bmc.deviceId(), failsWith('unsupported'));
  });

  it('is rejected for a wrong password or unknown user, and leaks nothing', async (context) => {
    const { fleet, lab, login } = await startFixtures(context);
    await assert.rejects(fleet.bmc({ ...login, password: 'wrong' }).deviceId(), failsWith('auth'));
    await assert.rejects(fleet.bmc({ ...login, username: 'nobody' }).deviceId(), failsWith('auth'));
    await until(() => lab.sessionCount() === 0);
  });

  it('is never anonymous', async (context) => {
    const { fleet, login } = await startFixtures(context);
    assert.throws(() => fleet.bmc({ ...login, username: '' }), failsWith('auth'));
  });

  it('uses K_g', async (context) => {
    const kg = Buffer.from('twenty bytes of key!');
    const { fleet, login, bmc } = await startFixtures(context, { kg });
    await assert.rejects(bmc.deviceId(), failsWith('auth'));
    await fleet.bmc({ ...login, kg }).deviceId();
  });

  it("is kept alive beyond the BMC's idle time", async (context) => {
    const { bmc, lab } = await startFixtures(context, { timing: { sessionIdleMs: 1_500 } }, { keepAliveMs: 100 });
    await bmc.deviceId();
    await sleep(2_000);
    assert.equal(lab.sessionCount(), 1);
  });

  it('is closed when it has been idle for long', async (context) => {
    const { bmc, lab } = await startFixtures(context, {}, { keepAliveMs: 20, idleCloseMs: 60 });
    await bmc.deviceId();
    await until(() => lab.sessionCount() === 0);
    await bmc.deviceId();
  });

  it('that the BMC has lost is reopened transparently', async (context) => {
    const { bmc, lab } = await startFixtures(context, { timing: { sessionIdleMs: 50 } });
    await bmc.deviceId();
    await sleep(80);
    assert.equal(lab.sessionCount(), 0);
    await bmc.deviceId();
  });

  it('beyond the limit is reported as busy', async (context) => {
    const { bmc, fleet, login } = await startFixtures(context, { maxSessions: 1 });
    await bmc.deviceId();
    await assert.rejects(fleet.bmc(login).deviceId(), failsWith('busy'));
  });
});

describe('the chassis', () => {
  it('is turned on and off, and does nothing if it is in that state already', async (context) => {
    const { bmc, lab } = await startFixtures(context);
    await bmc.power('on');
    await bmc.power('on');
    assert.equal((await bmc.chassisStatus()).isPowerOn, true);
    await bmc.power('off');
    await bmc.power('off');
    assert.equal((await bmc.chassisStatus()).isPowerOn, false);
    assert.deepEqual([lab.chassis.counts.on, lab.chassis.counts.off], [1, 1]);
  });

  it('rejects a reset while it is off', async (context) => {
    const { bmc } = await startFixtures(context);
    await assert.rejects(bmc.power('reset'), failsWith('rejected'));
  });

  it('boots from a one-time boot device once, and from a persistent one every time', async (context) => {
    const booted: string[] = [];
    const onBoot = ({ device }: { device: string }) => void booted.push(device);
    const { bmc } = await startFixtures(context, { onBoot: (boot) => onBoot(boot) as undefined });
    await bmc.setBootDevice({ device: 'pxe', lasts: 'once', firmware: 'uefi' });
    assert.deepEqual(await bmc.bootDevice(), { isValid: true, device: 'pxe', isPersistent: false, isUefi: true });
    await bmc.power('on');
    await bmc.power('reset');
    await bmc.setBootDevice({ device: 'cdrom', lasts: 'always', firmware: 'bios' });
    await bmc.power('reset');
    await bmc.power('reset');
    assert.deepEqual(booted, ['pxe', 'disk', 'cdrom', 'cdrom']);
  });

  it('cycles, and shuts down softly unless the operating system ignores it', async (context) => {
    const { bmc, lab } = await startFixtures(context);
    await bmc.power('on');
    await bmc.power('cycle');
    await until(() => lab.chassis.power === 'on' && lab.chassis.events.at(-1)?.text === 'boot from disk');
    lab.setMalfunctions({ ignoresSoftShutdown: true });
    await bmc.power('soft');
    await sleep(60);
    assert.equal(lab.chassis.power, 'on');
    lab.setMalfunctions({});
    await bmc.power('soft');
    await until(() => lab.chassis.power === 'off');
  });

  it('keeps its state through a restart of the lab', async (context) => {
    let stored: LabBmcState | undefined;
    const state = { load: () => stored, save: (next: LabBmcState) => (stored = structuredClone(next)) };
    const { bmc, lab } = await startFixtures(context, { state });
    await bmc.power('on');
    await bmc.setUserName(4, 'stored');
    await bmc.setBootDevice({ device: 'bios', lasts: 'once', firmware: 'bios' });
    await lab.close();
    const restarted = await startFixtures(context, { state });
    assert.equal((await restarted.bmc.chassisStatus()).isPowerOn, true);
    assert.equal((await restarted.bmc.bootDevice()).device, 'bios');
    assert.equal((await restarted.bmc.users())[3]?.name, 'stored');
  });
});

describe('users', () => {
  it('are created, log in with their own privilege, and are deleted', async (context) => {
    const { bmc, fleet, login } = await startFixtures(context);
    const password = 'a password of twenty';
    await bmc.setUserName(3, 'customer');
    await bmc.setUserPassword(3, password);
    await bmc.setUserPrivilege(3, 'operator');
    await bmc.enableUser(3);
    const users = await bmc.users();
    assert.equal(users.length, 10);
    assert.deepEqual(users[2], { id: 3, name: 'customer', privilege: 'operator', isEnabled: true, hasMessaging: true });

    const customerLogin = { ...login, username: 'customer', password };
    const customer = fleet.bmc({ ...customerLogin, privilege: 'operator' });
    await customer.power('on');
    await assert.rejects(customer.setUserName(4, 'another'), failsWith('auth'));
    await assert.rejects(customer.coldReset(), failsWith('auth'));
    await assert.rejects(fleet.bmc({ ...customerLogin, privilege: 'administrator' }).deviceId(), failsWith('auth'));

    await bmc.deleteUser(3);
    assert.deepEqual((await bmc.users())[2], {
      id: 3,
      name: '',
      privilege: 'none',
      isEnabled: false,
      hasMessaging: false,
    });
    await assert.rejects(fleet.bmc({ ...customerLogin, privilege: 'operator' }).deviceId(), failsWith('auth'));
  });

  it('cannot have the name of another user or take the anonymous slot', async (context) => {
    const { bmc } = await startFixtures(context);
    await assert.rejects(bmc.setUserName(5, admin.username), failsWith('rejected'));
    await assert.rejects(bmc.setUserName(1, 'root'), failsWith('rejected'));
    await assert.rejects(bmc.setUserPassword(3, 'far more than twenty bytes'), failsWith('unsupported'));
  });
});

describe('the inventory', () => {
  it('lists the parts of the server', async (context) => {
    const { bmc } = await startFixtures(context, { serialNumber: 'HY0042' });
    const { chassis, board, product } = await bmc.fru();
    assert.deepEqual([chassis?.serial, board?.serial, product?.serial], ['CHY0042', 'BHY0042', 'HY0042']);
  });

  it('has sensors that follow the power state and the condition of the parts', async (context) => {
    const { bmc, lab } = await startFixtures(context);
    const read = async () =>
      (await bmc.sensors()).map(({ record, value, unit, health }) => [record.name, value, unit, health]);
    assert.deepEqual((await read()).slice(0, 2), [
      ['CPU Temp', undefined, '°C', 'unknown'],
      ['Inlet Temp', 23, '°C', 'ok'],
    ]);
    await bmc.power('on');
    lab.server.hardware.setCondition('psu', 'critical');
    lab.server.hardware.setCondition('fan', 'warning');
    assert.deepEqual(await read(), [
      ['CPU Temp', 41, '°C', 'ok'],
      ['Inlet Temp', 23, '°C', 'ok'],
      ['Fan 1', 900, 'rpm', 'warning'],
      ['12V', 12.06, 'V', 'ok'],
      ['Power', 122, 'W', 'ok'],
      ['PSU 1', undefined, '', 'ok'],
      ['PSU 2', undefined, '', 'critical'],
      ['Disk 1', undefined, '', 'ok'],
      ['Disk 2', undefined, '', 'ok'],
      ['VRM Temp', 60, '°C', 'ok'],
    ]);
  });
});

describe('the serial console', () => {
  it('prints a boot, accepts a login and runs commands', async (context) => {
    const { bmc, lab } = await startFixtures(context, { hostname: 'ds01', rootPassword: 'toor' });
    let output = '';
    const sees = (text: string) => until(() => output.includes(text));
    const console = await bmc.openConsole({
      onData: (data) => (output += data.toString('latin1')),
      onEnd: () => {},
      whenTaken: 'fail',
    });
    await bmc.power('on');
    await sees('ds01 login: ');
    await console.write(Buffer.from('root\rwrong\r'));
    await sees('Login incorrect');
    await console.write(Buffer.from('root\rtoor\runame -a\r'));
    await sees('Linux ds01');
    assert.equal(output.includes('toor'), false);
    await console.write(Buffer.from('poweroff\r'));
    await until(() => lab.chassis.power === 'off');
    await console.close();
    assert.equal(lab.sessionCount(), 1);
  });

  it('belongs to one viewer until another takes it over', async (context) => {
    const { bmc } = await startFixtures(context);
    const { promise: ended, resolve: onEnd } = Promise.withResolvers<IpmiError>();
    await bmc.openConsole({ onData: () => {}, onEnd, whenTaken: 'fail' });
    await assert.rejects(bmc.openConsole({ onData: () => {}, onEnd: () => {}, whenTaken: 'fail' }), failsWith('busy'));
    const takenOver = await bmc.openConsole({ onData: () => {}, onEnd: () => {}, whenTaken: 'takeOver' });
    assert.equal((await ended).kind, 'timeout');
    await takenOver.close();
  });

  it('stays open while the server prints for longer than the idle time of the BMC', async (context) => {
    const { bmc, lab } = await startFixtures(context, { timing: { sessionIdleMs: 300 } }, { keepAliveMs: 60 });
    let output = '';
    await using _ = await bmc.openConsole({
      onData: (data) => (output += data.toString('latin1')),
      onEnd: (error) => (output += String(error)),
      whenTaken: 'fail',
    });
    for (let line = 0; line < 100; line++) {
      lab.serial.print(`line ${line}\r\n`);
      await sleep(10);
    }
    await until(() => output.includes('line 99'), { saw: () => output.slice(-200) });
  });

  it('is closed with its fleet', async (context) => {
    const { bmc, fleet, lab } = await startFixtures(context);
    await bmc.openConsole({ onData: () => {}, onEnd: () => {}, whenTaken: 'fail' });
    await bmc.power('on');
    assert.equal(lab.sessionCount(), 2);
    await fleet.close();
    assert.equal(lab.sessionCount(), 0);
  });

  it('lends its session to commands, so that the BMC needs no second one', async (context) => {
    const { bmc, lab } = await startFixtures(context, { timing: { sessionIdleMs: 1_000 } }, { keepAliveMs: 40 });
    await bmc.deviceId();
    const { promise: ended, resolve: onEnd } = Promise.withResolvers<IpmiError>();
    const console = await bmc.openConsole({ onData: () => {}, onEnd, whenTaken: 'fail' });
    assert.equal(lab.sessionCount(), 2);
    await until(() => lab.sessionCount() === 1);
    await Promise.all([bmc.deviceId(), bmc.chassisStatus(), console.write(Buffer.from('root\r'))]);
    assert.equal(lab.sessionCount(), 1);
    await bmc.endConsole();
    assert.equal((await ended).message, 'the BMC closed the serial console');
    await bmc.deviceId();
    assert.equal(lab.sessionCount(), 1);
  });

  it('can be replaced by a boot hook, which decides how the boot ends', async (context) => {
    const { bmc, lab } = await startFixtures(context, {
      onBoot: ({ device, print }) => {
        if (device !== 'pxe') return undefined;
        print('Installing 100%\r\n');
        return Promise.resolve('reboot');
      },
    });
    let output = '';
    lab.serial.listen((text) => (output += text));
    await bmc.setBootDevice({ device: 'pxe', lasts: 'once', firmware: 'bios' });
    await bmc.power('on');
    await until(() => output.includes('login: '));
    assert.ok(output.startsWith('Installing 100%'));
  });
});
