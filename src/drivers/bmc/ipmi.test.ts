import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#lib/api-error.ts';
import { startLabBmc, type LabBmc } from '#lab/bmc/bmc.ts';
import { setBootOptions } from '#protocols/ipmi/commands/boot.ts';
import { coldReset } from '#protocols/ipmi/commands/device.ts';
import { activatePayload } from '#protocols/ipmi/commands/payload.ts';
import { getFruInventoryArea } from '#protocols/ipmi/commands/storage.ts';
import { getUserAccess } from '#protocols/ipmi/commands/user.ts';
import { openFleet, type Fleet } from '#protocols/ipmi/fleet.ts';
import { until } from '#test/support/until.ts';
import { describeBmcDriver, wrongPassword } from './conformance.ts';
import { requireCapability, type Bmc, type BmcCapability, type BootTarget } from './driver.ts';
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

describeBmcDriver('the IPMI driver with the lab BMC', {}, async () => {
  const { lab, fleet, [Symbol.asyncDispose]: dispose } = await startLab();
  const driver = ipmiDriver(async () => fleet);
  const endpoint = { address: lab.address, port: lab.port };
  let typed = '';
  const type = lab.serial.type.bind(lab.serial);
  lab.serial.type = (bytes) => {
    typed += bytes.toString('latin1');
    type(bytes);
  };
  return {
    async open(access) {
      if (access === 'provider') return driver.open({ ...endpoint, ...admin });
      if (access === 'wrong password') return driver.open({ ...endpoint, ...admin, password: wrongPassword });
      return driver.open({ ...endpoint, ...admin, address: '127.213.1.1' });
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
    serial: async () => ({ print: (text) => lab.serial.print(text), typed: () => typed }),
    freeUsers: slotsBesideProvider,
    lacks: ['media'],
    [Symbol.asyncDispose]: dispose,
  };
});

describe('the IPMI driver', () => {
  const testTimeout = (milliseconds = 60_000): AbortSignal => AbortSignal.timeout(milliseconds);
  const withCode = (code: string, text: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, text);
    return true;
  };

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
      const { lab, fleet } = fixture;
      lab.setMalfunctions({ unsupportedCommands: [command] });
      const bmc = await ipmiDriver(async () => fleet).open({ address: lab.address, port: lab.port, ...admin });
      await assert.rejects(
        attempt(bmc),
        withCode('capability_missing', new RegExp(`does not support .*${capability}`)),
      );
    });
  }

  it("sets the next boot for the server's firmware, or BIOS if unknown", async () => {
    await using fixture = await startLab();
    const { lab, fleet } = fixture;
    const endpoint = { address: lab.address, port: lab.port, ...admin };
    for (const server of [{ firmware: 'uefi' }, {}, { firmware: 'bios' }] as const) {
      await using bmc = await ipmiDriver(async () => fleet).open(endpoint, server);
      await bmc.boot!.setNext('pxe', testTimeout());
      assert.equal(lab.chassis.bootFlags.isUefi, server.firmware === 'uefi');
    }
  });

  it('reports a power change only after the BMC does', async () => {
    await using fixture = await startLab();
    const { lab, fleet } = fixture;
    const bmc = await ipmiDriver(async () => fleet).open({ address: lab.address, port: lab.port, ...admin });
    lab.setMalfunctions({ reportsPower: 'off' });
    const switching = bmc.power.set('on', testTimeout());
    await until(() => lab.chassis.power === 'on');
    lab.setMalfunctions({});
    await switching;
    lab.setMalfunctions({ reportsPower: 'on' });
    await assert.rejects(bmc.power.set('off', testTimeout(600)), withCode('bmc_error', /did not change/));
  });

  it('reports an unknown outcome if the BMC stops responding during a reset', async () => {
    await using fixture = await startLab();
    const { lab, fleet } = fixture;
    const bmc = await ipmiDriver(async () => fleet).open({ address: lab.address, port: lab.port, ...admin });
    await bmc.power.set('on', testTimeout());
    lab.setMalfunctions({ resetsOnControl: true });
    await assert.rejects(bmc.power.reset(testTimeout()), withCode('bmc_unreachable', /unknown whether/));
    assert.equal(lab.chassis.counts.reset, 1);
  });

  it('does not report a closed connection as a missing capability', async () => {
    await using fixture = await startLab();
    const { lab, fleet } = fixture;
    const bmc = await ipmiDriver(async () => fleet).open({ address: lab.address, port: lab.port, ...admin });
    await bmc[Symbol.asyncDispose]();
    await assert.rejects(bmc.power.state(testTimeout()), withCode('bmc_error', /./));
  });
});
