// The IPMI driver through the suite of all controller drivers, against the lab's BMC, and what only a simulator with faults
// on demand can show.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fault } from '#kernel/fault.ts';
import { startLabBmc, type LabBmc } from '#lab/bmc/bmc.ts';
import { setBootOptions } from '#wire/ipmi/commands/boot.ts';
import { coldReset } from '#wire/ipmi/commands/device.ts';
import { activatePayload } from '#wire/ipmi/commands/payload.ts';
import { getFruInventoryArea } from '#wire/ipmi/commands/storage.ts';
import { getUserAccess } from '#wire/ipmi/commands/user.ts';
import { openFleet, type Fleet } from '#wire/ipmi/fleet.ts';
import { describeBmcDriver, wrongPassword } from './conformance.ts';
import { need, type Bmc, type BmcCapability, type BootTarget } from './driver.ts';
import { ipmiDriver } from './ipmi.ts';

const admin = { username: 'provider', password: 'correct horse' };
const timing = { bootMs: 1, cycleOffMs: 1, softOffMs: 1, absenceMs: 300 };
const slotsBesideProvider = 8;

async function startLab(): Promise<{ lab: LabBmc; fleet: Fleet } & AsyncDisposable> {
  const lab = await startLabBmc({ admin, timing });
  const fleet = await openFleet({ retransmitMs: 100, deadlineMs: 60_000 });
  return {
    lab,
    fleet,
    async [Symbol.asyncDispose]() {
      await fleet.close();
      await lab.close();
    },
  };
}

describeBmcDriver("the IPMI driver on the lab's BMC", {}, async () => {
  const { lab, fleet, [Symbol.asyncDispose]: dispose } = await startLab();
  const driver = ipmiDriver(async () => fleet);
  const place = { address: lab.address, port: lab.port };
  let typed = '';
  const type = lab.serial.type.bind(lab.serial);
  lab.serial.type = (bytes) => {
    typed += bytes.toString('latin1');
    type(bytes);
  };
  return {
    async open(access) {
      if (access === 'provider') return driver.open({ ...place, ...admin });
      if (access === 'wrong password') return driver.open({ ...place, ...admin, password: wrongPassword });
      return driver.open({ ...place, ...admin, address: '127.213.1.1' });
    },
    power: async () => lab.chassis.power,
    nextBoot: async () => (lab.chassis.bootFlags.isValid ? (lab.chassis.bootFlags.device as BootTarget) : 'none'),
    async logsIn(username, password) {
      await using theirs = fleet.bmc({ ...place, username, password, privilege: 'operator' });
      return await theirs.chassisStatus().then(
        () => true,
        () => false,
      );
    },
    serial: async () => ({ print: (text) => lab.serial.print(text), typed: () => typed }),
    freeUsers: slotsBesideProvider,
    lacks: ['media'],
    [Symbol.asyncDispose]: dispose,
  };
});

describe('the IPMI driver', () => {
  const soon = (milliseconds = 60_000): AbortSignal => AbortSignal.timeout(milliseconds);
  const faultWith = (code: string, text: RegExp) => (error: unknown) => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, text);
    return true;
  };

  const asked: readonly [BmcCapability, { netFn: number; code: number }, (bmc: Bmc) => Promise<unknown>][] = [
    ['boot', setBootOptions, (bmc) => need(bmc, 'boot').setNext('pxe', soon())],
    ['users', getUserAccess, (bmc) => need(bmc, 'users').create('customer', 'password', soon())],
    ['serial', activatePayload, (bmc) => need(bmc, 'serial').open({ onData() {}, onEnd() {} }, 'fail', soon())],
    ['inventory', getFruInventoryArea, (bmc) => need(bmc, 'inventory').read(soon())],
    ['controller', coldReset, (bmc) => need(bmc, 'controller').reset(soon())],
  ];
  for (const [capability, command, ask] of asked) {
    it(`names ${capability} where the controller does not know the command`, async () => {
      await using started = await startLab();
      const { lab, fleet } = started;
      lab.setFaults({ lacks: [command] });
      const bmc = await ipmiDriver(async () => fleet).open({ address: lab.address, port: lab.port, ...admin });
      await assert.rejects(ask(bmc), faultWith('capability_missing', new RegExp(`has no ${capability}`)));
    });
  }

  it('asks for the next boot in the way of the server’s firmware, as BIOS where nobody knows', async () => {
    await using started = await startLab();
    const { lab, fleet } = started;
    const place = { address: lab.address, port: lab.port, ...admin };
    for (const server of [{ firmware: 'uefi' }, {}, { firmware: 'bios' }] as const) {
      await using bmc = await ipmiDriver(async () => fleet).open(place, server);
      await bmc.boot!.setNext('pxe', soon());
      assert.equal(lab.chassis.bootFlags.isUefi, server.firmware === 'uefi');
    }
  });

  it('does not call the power switched before the controller shows it', async () => {
    await using started = await startLab();
    const { lab, fleet } = started;
    const bmc = await ipmiDriver(async () => fleet).open({ address: lab.address, port: lab.port, ...admin });
    lab.setFaults({ reportsPower: 'off' });
    const switching = bmc.power.set('on', soon());
    while (lab.chassis.power === 'off') await bmc.power.state(soon());
    lab.setFaults({});
    await switching;
    lab.setFaults({ reportsPower: 'on' });
    await assert.rejects(bmc.power.set('off', soon(600)), faultWith('bmc_error', /has not followed/));
  });

  it('says that it does not know where the controller falls silent on a reset', async () => {
    await using started = await startLab();
    const { lab, fleet } = started;
    const bmc = await ipmiDriver(async () => fleet).open({ address: lab.address, port: lab.port, ...admin });
    await bmc.power.set('on', soon());
    lab.setFaults({ resetsOnControl: true });
    await assert.rejects(bmc.power.reset(soon()), faultWith('bmc_unreachable', /not known whether/));
    assert.equal(lab.chassis.counts.reset, 1);
  });

  it('does not pass a controller that is closed off as one that lacks something', async () => {
    await using started = await startLab();
    const { lab, fleet } = started;
    const bmc = await ipmiDriver(async () => fleet).open({ address: lab.address, port: lab.port, ...admin });
    await bmc[Symbol.asyncDispose]();
    await assert.rejects(bmc.power.state(soon()), faultWith('bmc_error', /./));
  });
});
