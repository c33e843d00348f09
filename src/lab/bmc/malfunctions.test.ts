// How our IPMI client handles a misbehaving BMC.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChassisControl } from '#protocols/ipmi/commands/chassis.ts';
import { IpmiError } from '#protocols/ipmi/error.ts';
import { openFleet, type FleetOptions } from '#protocols/ipmi/fleet.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { until } from '#test/support/until.ts';
import { labSensors } from './inventory.ts';
import { startLabBmc } from './bmc.ts';
import type { LabBmcMalfunctions, LossyLink } from './malfunctions.ts';

const admin = { username: 'provider', password: 'correct horse' };
const quick: FleetOptions = { retransmitMs: 20, attempts: 4, settleMs: 40, pollMs: 5, offMs: 0, deadlineMs: 5_000 };

async function startFixtures(context: TestContext, fleetOptions: FleetOptions = {}) {
  const timing = { bootMs: 5, cycleOffMs: 5, softOffMs: 5, absenceMs: 150 };
  const lab = await startLabBmc({ admin, timing });
  const fleet = await openFleet({ ...quick, ...fleetOptions });
  context.after(async () => {
    lab.setMalfunctions({});
    await fleet.close();
    await lab.close();
  });
  return { lab, bmc: fleet.bmc({ address: lab.address, port: lab.port, ...admin }) };
}

async function failure(promise: Promise<unknown>): Promise<IpmiError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof IpmiError);
    return error;
  }
  return assert.fail('expected an error');
}

describe('a BMC', () => {
  it('that is silent times out at the deadline, and nothing has changed', async (context) => {
    const { lab, bmc } = await startFixtures(context, { deadlineMs: 100 });
    lab.setMalfunctions({ isSilent: true });
    const { kind, outcome } = await failure(bmc.power('on'));
    assert.deepEqual([kind, outcome], ['timeout', 'nothingChanged']);
  });

  it('that is silent is abandoned when the caller aborts, even for queued commands', async (context) => {
    const { lab, bmc } = await startFixtures(context);
    lab.setMalfunctions({ isSilent: true });
    const caller = new AbortController();
    const first = failure(bmc.chassisStatus(caller.signal));
    const second = failure(bmc.chassisStatus(caller.signal));
    caller.abort(new Error('gone home'));
    assert.deepEqual([(await first).kind, (await second).kind], ['timeout', 'timeout']);
    assert.equal((await failure(bmc.chassisStatus(caller.signal))).kind, 'timeout');
  });

  for (const [habit, malfunctions] of Object.entries({
    'derives keys from the privilege in Open Session': { hashesOpenPrivilege: true },
    'sends wrong checksums within sessions': { sendsWrongChecksums: true },
    'does not respond to the request for cipher suites': { hidesSuites: true },
  }))
    it(`that ${habit} works`, async (context) => {
      const { lab, bmc } = await startFixtures(context);
      lab.setMalfunctions(malfunctions);
      await bmc.power('on');
      assert.equal((await bmc.chassisStatus()).isPowerOn, true);
      assert.equal(lab.chassis.power, 'on');
    });

  it('that derives keys in another way does not accept a wrong password', async (context) => {
    const { lab } = await startFixtures(context);
    lab.setMalfunctions({ hashesOpenPrivilege: true });
    await using fleet = await openFleet(quick);
    const bmc = fleet.bmc({ address: lab.address, port: lab.port, ...admin, password: 'wrong' });
    assert.equal((await failure(bmc.chassisStatus())).kind, 'auth');
  });

  for (const solBytes of [0, 0xffff])
    it(`that reports SOL payloads of ${solBytes} bytes has a usable console`, async (context) => {
      const { lab, bmc } = await startFixtures(context);
      lab.setMalfunctions({ solBytes });
      await bmc.power('on');
      const typed = 'x'.repeat(200);
      let printed = '';
      await using console = await bmc.openConsole({
        onData: (data) => void (printed += data.toString()),
        onEnd: () => {},
        whenTaken: 'fail',
      });
      await console.write(Buffer.from(typed));
      lab.serial.print('printed');
      await until(() => printed.includes('printed'));
    });

  it('that comes back is used again', async (context) => {
    const { lab, bmc } = await startFixtures(context);
    await bmc.deviceId();
    lab.setMalfunctions({ isSilent: true });
    const status = bmc.chassisStatus();
    await sleep(200);
    lab.setMalfunctions({});
    assert.equal((await status).isPowerOn, false);
  });

  it('that is slow is waited for', async (context) => {
    const { lab, bmc } = await startFixtures(context, { retransmitMs: 200 });
    lab.setMalfunctions({ responseDelayMs: 60 });
    await bmc.power('on');
    assert.equal(lab.chassis.counts.on, 1);
  });

  it('that acknowledges a reset late is still understood', async (context) => {
    const { lab, bmc } = await startFixtures(context, { attempts: 8 });
    await bmc.power('on');
    lab.setMalfunctions({ responseDelayMs: 100 });
    await bmc.power('reset');
    assert.equal(lab.chassis.counts.reset, 1);
  });

  it('that rejects sessions is reported as busy', async (context) => {
    const { lab, bmc } = await startFixtures(context);
    lab.setMalfunctions({ rejectsSessions: true });
    assert.equal((await failure(bmc.deviceId())).kind, 'busy');
  });

  it('that restarts is offline for a while, and the next call waits for it', async (context) => {
    const { lab, bmc } = await startFixtures(context);
    await bmc.power('on');
    await bmc.coldReset();
    await sleep(60);
    assert.equal(lab.sessionCount(), 0);
    assert.equal((await bmc.chassisStatus()).isPowerOn, true);
  });

  it('that restarts during a power on is queried for the result', async (context) => {
    const { lab, bmc } = await startFixtures(context);
    lab.setMalfunctions({ resetsOnControl: true });
    await bmc.power('on');
    assert.equal(lab.chassis.power, 'on');
    assert.equal(lab.chassis.counts.on, 1);
  });

  it('that restarts during a reset leaves the outcome unknown, and the reset is not repeated', async (context) => {
    const { lab, bmc } = await startFixtures(context);
    await bmc.power('on');
    lab.setMalfunctions({ resetsOnControl: true });
    const { kind, outcome, message } = await failure(bmc.power('reset'));
    assert.deepEqual([kind, outcome], ['timeout', 'unknown']);
    assert.match(message, /outcome unknown/);
    assert.equal(lab.chassis.counts.reset, 1);
  });

  it('that misreports its power is believed, so that power on does nothing', async (context) => {
    const { lab, bmc } = await startFixtures(context);
    lab.setMalfunctions({ reportsPower: 'on' });
    await bmc.power('on');
    assert.equal(lab.chassis.counts.on, 0);
  });
});

const badNetwork: LossyLink = { seed: 20261115, drop: 0.3, duplicate: 0.15, delay: 0.25, maxDelayMs: 6 };
// The deadline is beyond the runner's: a process that gets no CPU for a minute must not count as a silent BMC.
const impatient: FleetOptions = { retransmitMs: 5, attempts: 8, settleMs: 0, deadlineMs: 600_000 };

describe('on a link that drops three in ten datagrams each way, duplicates some and reorders others', () => {
  it('power cycles over twenty-five servers each run exactly once', async (context) => {
    const runs = Array.from({ length: 25 }, async (_, server) => {
      const { lab, bmc } = await startFixtures(context, impatient);
      await bmc.power('on');
      lab.setMalfunctions({ lossy: { ...badNetwork, seed: badNetwork.seed + server } });
      const initialCounts = { ...lab.chassis.counts };
      for (let cycle = 1; cycle <= (isLongRun ? 40 : 8); cycle++) {
        await bmc.powerCycle();
        assert.equal(lab.chassis.counts.off - initialCounts.off, cycle);
        assert.equal(lab.chassis.counts.on - initialCounts.on, cycle);
      }
    });
    await Promise.all(runs);
  });

  it('a reset runs once if it succeeds and at most once if its outcome is unknown', async (context) => {
    const { lab, bmc } = await startFixtures(context, impatient);
    await bmc.power('on');
    lab.setMalfunctions({ lossy: badNetwork });
    const control: ChassisControl = 'reset';
    for (let attempt = 0; attempt < 60; attempt++) {
      const previousRuns = lab.chassis.counts[control];
      const error = await bmc.power(control).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const runs: number = lab.chassis.counts[control] - previousRuns;
      if (error === undefined) assert.equal(runs, 1);
      else assert.ok(error instanceof IpmiError && error.outcome === 'unknown' && runs <= 1);
    }
  });

  it('reads and writes arrive complete', async (context) => {
    const { lab, bmc } = await startFixtures(context, impatient);
    const malfunctions: LabBmcMalfunctions = { lossy: badNetwork };
    lab.setMalfunctions(malfunctions);
    for (const device of ['pxe', 'cdrom', 'bios', 'disk'] as const) {
      await bmc.setBootDevice({ device, lasts: 'always', firmware: 'bios' });
      assert.equal((await bmc.bootDevice()).device, device);
    }
    assert.equal((await bmc.users()).length, 10);
    assert.equal((await bmc.fru()).product?.product, 'Lab Server 1U');
    assert.equal((await bmc.sensors()).length, labSensors.length);
  });

  it('a serial console loses, duplicates and reorders nothing', async (context) => {
    const { lab, bmc } = await startFixtures(context, { ...impatient, attempts: 8 });
    lab.setMalfunctions({ lossy: { ...badNetwork, drop: 0.15 } });
    let output = '';
    const console = await bmc.openConsole({
      onData: (data) => (output += data.toString('latin1')),
      onEnd: () => (output += '<ended>'),
      whenTaken: 'fail',
    });
    const printed = Array.from({ length: 20 }, (_, line) => `[ ${line} ] some line of a kernel\r\n`).join('');
    lab.serial.print(printed);
    await until(() => output.length >= printed.length || output.endsWith('<ended>'), { saw: () => output });
    assert.equal(output, printed);
    await console.close();
  });
});
