// Our client against a third party's BMC: ipmi_sim of OpenIPMI, with a chassis hook that logs what it runs.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { simulatedSensors, startIpmiSim, type IpmiSim } from '#test/support/ipmi-sim.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { IpmiError } from '#protocols/ipmi/error.ts';
import { openFleet, type Fleet } from '#protocols/ipmi/fleet.ts';
import type { Bmc } from '#protocols/ipmi/bmc.ts';
import { until } from '#test/support/until.ts';

const run = promisify(execFile);

async function startBmc(context: TestContext): Promise<{ sim: IpmiSim; fleet: Fleet; bmc: Bmc }> {
  const sim = await startIpmiSim();
  const fleet = await openFleet({ offMs: 50, deadlineMs: 20_000 });
  context.after(async () => {
    await fleet.close();
    await sim.stop();
  });
  return { sim, fleet, bmc: fleet.bmc(sim) };
}

async function ipmitool(sim: IpmiSim, command: string): Promise<string> {
  const login = ['-U', sim.username, '-P', sim.password, '-C', '3'];
  const options = ['-I', 'lanplus', '-H', sim.address, '-p', String(sim.port), ...login];
  const { stdout } = await run('ipmitool', [...options, ...command.split(' ')]);
  return stdout.trim();
}

const failsWith = (kind: IpmiError['kind']) => (error: unknown) => error instanceof IpmiError && error.kind === kind;

describe('our client on ipmi_sim', needs('ipmi_sim', 'ipmitool'), () => {
  it('discovers it and reads its identity', async (context) => {
    const { sim, fleet, bmc } = await startBmc(context);
    assert.equal((await fleet.ping(sim)).supportsIpmi, true);
    assert.equal((await bmc.deviceId()).ipmiVersion, '2.0');
  });

  it('controls the power, which the chassis executes once and ipmitool sees', async (context) => {
    const { sim, bmc } = await startBmc(context);
    await bmc.power('on');
    assert.equal(await ipmitool(sim, 'chassis power status'), 'Chassis Power is on');
    await bmc.power('reset');
    await bmc.powerCycle();
    await bmc.power('off');
    assert.deepEqual(await sim.chassisLog(), ['power 1', 'reset 1', 'power 0', 'power 1', 'power 0']);
    await ipmitool(sim, 'chassis power on');
    assert.equal((await bmc.chassisStatus()).isPowerOn, true);
  });

  it('sets the boot device', async (context) => {
    const { sim, bmc } = await startBmc(context);
    for (const device of ['pxe', 'cdrom', 'bios', 'disk'] as const) {
      await bmc.setBootDevice({ device, lasts: 'once', firmware: 'bios' });
      assert.equal((await bmc.bootDevice()).device, device);
    }
    assert.match(await ipmitool(sim, 'chassis bootparam get 5'), /Force Boot from default Hard-Drive/);
    await ipmitool(sim, 'chassis bootdev pxe');
    assert.equal((await bmc.bootDevice()).device, 'pxe');
  });

  it('creates a user, who logs in, and deletes them', async (context) => {
    const { sim, fleet, bmc } = await startBmc(context);
    // ipmi_sim uses only sixteen bytes of a longer password, and ipmitool fails with twenty as well.
    const customer = { ...sim, username: 'customer', password: 'sixteen-bytes-ok', privilege: 'operator' as const };
    await bmc.setUserName(5, customer.username);
    await bmc.setUserPassword(5, customer.password);
    await bmc.setUserPrivilege(5, 'operator');
    await bmc.enableUser(5);
    const customerBmc = fleet.bmc(customer);
    assert.equal((await customerBmc.chassisStatus()).isPowerOn, false);
    await customerBmc.close();
    assert.match(await ipmitool(sim, 'user list 1'), /5 +customer +.*OPERATOR/);
    await bmc.deleteUser(5);
    assert.equal((await bmc.users())[4]?.name, '');
    await assert.rejects(fleet.bmc(customer).deviceId(), failsWith('auth'));
  });

  it('gets clear errors for what it may not do and what the BMC cannot do', async (context) => {
    const { sim, fleet, bmc } = await startBmc(context);
    await assert.rejects(fleet.bmc({ ...sim, password: 'wrong' }).deviceId(), failsWith('auth'));
    await assert.rejects(fleet.bmc({ ...sim, username: 'nobody' }).deviceId(), failsWith('auth'));
    await assert.rejects(bmc.coldReset(), failsWith('unsupported'));
    await assert.rejects(bmc.fru(), failsWith('unsupported'));
    assert.deepEqual(await bmc.sensors(), []);
  });

  it(
    'reads sensors and the event log as ipmitool and FreeIPMI do',
    needs('ipmi-sensors', 'ipmi-sel'),
    async (context) => {
      const sim = await startIpmiSim({ sensors: simulatedSensors() });
      await using fleet = await openFleet({ deadlineMs: 20_000 });
      context.after(() => sim.stop());
      await using folder = await temporaryFolder('sdr-cache');
      const freeipmi = async (program: string, ...options: string[]): Promise<string[][]> => {
        const login = ['-h', `${sim.address}:${sim.port}`, '-u', sim.username, '-p', sim.password];
        const session = ['-D', 'LAN_2_0', '-I', '3', '-W', 'opensesspriv', '--quiet-cache', '--comma-separated-output'];
        const cache = `--sdr-cache-directory=${folder.path}`;
        const { stdout } = await run(program, [...login, ...session, cache, '--no-header-output', ...options]);
        return stdout
          .trim()
          .split('\n')
          .map((line) => line.split(','));
      };
      const bmc = fleet.bmc(sim);
      const { position } = await bmc.log(undefined);
      // The clock of the simulator is not set at first.
      await sim.run('sensor_set_bit 0x20 0 7 1 1 1');
      await ipmitool(sim, 'sel time set now');
      await sim.run('sensor_set_value 0x20 0 3 5 1');

      const sensors = await bmc.sensors();
      const states = { ok: 'Nominal', critical: 'Critical', warning: 'Warning', unknown: 'N/A', absent: 'N/A' };
      const ours = sensors.map(({ record, value, health }) => [
        record.name,
        states[health],
        value === undefined ? 'N/A' : value.toFixed(2),
      ]);
      const theirs = (await freeipmi('ipmi-sensors', '--output-sensor-state', '--shared-sensors')).map(
        ([, name, , state, reading]) => [name, reading === 'N/A' && name === 'VRM Temp' ? 'N/A' : state, reading],
      );
      assert.deepEqual(ours, theirs);
      const listed = (await ipmitool(sim, 'sdr elist'))
        .split('\n')
        .map((line) => line.split('|').map((cell) => cell.trim()));
      const units: Record<string, string> = { '°C': 'degrees C', rpm: 'RPM', V: 'Volts', W: 'Watts' };
      for (const { record, value, unit } of sensors.filter((sensor) => sensor.value !== undefined))
        assert.equal(listed.find(([name]) => name === record.name)?.at(-1), `${value} ${units[unit]}`);

      const { entries } = await bmc.log(position);
      assert.deepEqual(
        entries.map(({ text, severity, seconds }) => [text, severity, seconds === undefined]),
        [
          ['PSU 2: failed', 'critical', true],
          ['Fan 1: below the lower critical threshold (300 rpm, threshold 600 rpm)', 'critical', false],
        ],
      );
      const events = await freeipmi('ipmi-sel', '--output-event-state');
      assert.deepEqual(
        events.map(([, , , name, , state]) => [name, state]),
        [
          ['PSU 2', 'Critical'],
          ['Fan 1', 'Critical'],
        ],
      );
      assert.match(events[1]!.join(), /300\.00 RPM.*600\.00 RPM/);
      const log = (await ipmitool(sim, 'sel elist')).split('\n');
      assert.equal(log.length, entries.length);
      assert.match(log[0]!, /Pre-Init.*Power Supply.*Failure detected/);
      assert.match(log[1]!, /Fan 1.*Lower Critical going low/);
    },
  );

  it('opens and closes more sessions than the BMC has, one after the other', async (context) => {
    const { sim, fleet } = await startBmc(context);
    for (let count = 0; count < 80; count++) {
      const bmc = fleet.bmc(sim);
      await bmc.deviceId();
      await bmc.close();
    }
  });

  it('carries the serial console both ways', async (context) => {
    const { sim, bmc } = await startBmc(context);
    let output = '';
    let typed = '';
    const console = await bmc.openConsole({
      onData: (data) => (output += data.toString('latin1')),
      onEnd: () => {},
      whenTaken: 'fail',
    });
    const line = await sim.serialLine();
    line.on('data', (chunk) => (typed += chunk.toString('latin1')));
    const printed = 'a line from the server\r\n'.repeat(40);
    line.write(printed);
    await console.write(Buffer.from('keys from the viewer\r'));
    await until(() => output.length >= printed.length && typed.length >= 21, { saw: () => ({ output, typed }) });
    assert.equal(output, printed);
    assert.equal(typed, 'keys from the viewer\r');
    await console.close();
  });
});
