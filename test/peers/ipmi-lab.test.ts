// Third-party clients against the lab's BMC: ipmitool and ipmipower, with both cipher suites, each side seeing what the
// other did.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startLabBmc, type LabBmc } from '#lab/bmc/bmc.ts';
import { findBinary, needs } from '#test/support/needs.ts';
import { until } from '#test/support/until.ts';
import { openFleet } from '#protocols/ipmi/fleet.ts';

const run = promisify(execFile);
const admin = { username: 'provider', password: 'secret12' };
const timing = { bootMs: 50, cycleOffMs: 100, softOffMs: 100, absenceMs: 300 };
const forEver = { ...timing, absenceMs: 3_600_000 };

async function startBmc(context: TestContext, labTiming = timing): Promise<LabBmc> {
  const lab = await startLabBmc({ admin, timing: labTiming, hostname: 'ds01', serialNumber: 'HY0042' });
  context.after(() => lab.close());
  return lab;
}

function loginOptions(lab: LabBmc, suite: number, login = admin): string[] {
  const address = ['-I', 'lanplus', '-H', lab.address, '-p', String(lab.port), '-C', String(suite)];
  return [...address, '-U', login.username, '-P', login.password];
}

async function ipmitool(lab: LabBmc, suite: number, command: string, login = admin): Promise<string> {
  const { stdout } = await run('ipmitool', [...loginOptions(lab, suite, login), ...command.split(' ')]);
  return stdout.trim();
}

for (const suite of [3, 17]) {
  describe(`ipmitool with cipher suite ${suite} on the lab's BMC`, needs('ipmitool'), () => {
    it('controls the power and sees it', async (context) => {
      const lab = await startBmc(context);
      assert.equal(await ipmitool(lab, suite, 'chassis power status'), 'Chassis Power is off');
      assert.equal(await ipmitool(lab, suite, 'chassis power on'), 'Chassis Power Control: Up/On');
      assert.equal(await ipmitool(lab, suite, 'chassis power status'), 'Chassis Power is on');
      assert.equal(await ipmitool(lab, suite, 'chassis power reset'), 'Chassis Power Control: Reset');
      assert.equal(await ipmitool(lab, suite, 'chassis power cycle'), 'Chassis Power Control: Cycle');
      await until(() => lab.chassis.power === 'on');
      assert.equal(await ipmitool(lab, suite, 'chassis power soft'), 'Chassis Power Control: Soft');
      await until(() => lab.chassis.power === 'off');
      await ipmitool(lab, suite, 'chassis power on');
      assert.equal(await ipmitool(lab, suite, 'chassis power off'), 'Chassis Power Control: Down/Off');
      assert.deepEqual(lab.chassis.counts, { off: 1, on: 2, cycle: 1, reset: 1, diagnostic: 0, soft: 1 });
    });

    it('sees its session', async (context) => {
      const lab = await startBmc(context);
      assert.match(await ipmitool(lab, suite, 'session info active'), /user id +: 2\nprivilege level +: ADMINISTRATOR/);
    });

    it('chooses a boot device for one boot, which the boot consumes', async (context) => {
      const lab = await startBmc(context);
      assert.equal(await ipmitool(lab, suite, 'chassis bootdev pxe'), 'Set Boot Device to pxe');
      assert.match(await ipmitool(lab, suite, 'chassis bootparam get 5'), /Force PXE/);
      await ipmitool(lab, suite, 'chassis power on');
      assert.ok(lab.chassis.events.some(({ text }) => text === 'boot from pxe'));
      assert.match(await ipmitool(lab, suite, 'chassis bootparam get 5'), /No override/);
    });

    it('creates a user who can log in with their own privilege, and disables them', async (context) => {
      const lab = await startBmc(context);
      const customer = { username: 'customer', password: 'a-password-of-twenty' };
      await ipmitool(lab, suite, `user set name 3 ${customer.username}`);
      await ipmitool(lab, suite, `user set password 3 ${customer.password} 20`);
      await ipmitool(lab, suite, 'user priv 3 3 1');
      await ipmitool(lab, suite, 'user enable 3');
      assert.match(await ipmitool(lab, suite, 'user list 1'), /3 +customer +.*OPERATOR/);
      await ipmitool(lab, suite, '-L operator chassis power on', customer);
      assert.equal(lab.chassis.power, 'on');
      await assert.rejects(ipmitool(lab, suite, '-L operator user set name 4 another', customer));
      await ipmitool(lab, suite, 'user disable 3');
      await assert.rejects(ipmitool(lab, suite, '-L operator chassis power off', customer));
      assert.equal(lab.chassis.power, 'on');
    });

    it('reads the hardware and its sensors', async (context) => {
      const lab = await startBmc(context);
      assert.match(await ipmitool(lab, suite, 'mc info'), /IPMI Version +: 2.0/);
      assert.match(await ipmitool(lab, suite, 'fru print'), /Product Serial +: HY0042/);
      await ipmitool(lab, suite, 'chassis power on');
      assert.match(await ipmitool(lab, suite, 'sdr list'), /CPU Temp +\| 41 degrees C +\| ok/);
    });

    it('resets the BMC, which is then unreachable', async (context) => {
      const lab = await startBmc(context, forEver);
      assert.match(await ipmitool(lab, suite, 'mc reset cold'), /Sent cold reset/);
      await until(() => lab.sessionCount() === 0);
      await assert.rejects(ipmitool(lab, suite, '-N 1 -R 1 mc info'));
    });

    it('resets the BMC, which comes back', async (context) => {
      const lab = await startBmc(context);
      await ipmitool(lab, suite, 'mc reset cold');
      await sleep(timing.absenceMs);
      assert.match(await ipmitool(lab, suite, 'mc info'), /Device ID/);
    });

    it('is rejected with a wrong password', async (context) => {
      const lab = await startBmc(context);
      await assert.rejects(ipmitool(lab, suite, 'mc info', { ...admin, password: 'wrong' }));
    });
  });
}

describe("Serial-over-LAN of ipmitool on the lab's BMC", needs('ipmitool', 'script'), () => {
  it('shows the boot, logs in and accepts commands', async (context) => {
    const lab = await startBmc(context);
    // ipmitool needs a terminal; script provides one.
    const command = ['ipmitool', ...loginOptions(lab, 17), 'sol', 'activate'].join(' ');
    const tool = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const exited = once(tool, 'exit');
    let output = '';
    tool.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('latin1')));
    const sees = (text: string) => until(() => output.includes(text) || tool.exitCode !== null);
    await sees('SOL Session operational');
    lab.chassis.turnOn();
    await sees('ds01 login: ');
    tool.stdin.write('root\r');
    await sees('Password: ');
    tool.stdin.write('root\r');
    await sees('root@ds01:~# ');
    tool.stdin.write('hostname\r');
    await sees('\nds01\r');
    tool.stdin.write('\r~.');
    await exited;
    assert.match(output, /Booting from Hard Disk/);
    assert.match(output, /\nds01\r/);
  });
});

describe("ipmipower on the lab's BMC", needs('ipmipower'), () => {
  for (const suite of [3, 17]) {
    it(`controls the power with cipher suite ${suite}`, async (context) => {
      const lab = await startBmc(context);
      const ipmipower = async (action: string): Promise<string> => {
        const login = ['-h', `${lab.address}:${lab.port}`, '-u', admin.username, '-p', admin.password];
        const options = ['-D', 'LAN_2_0', '-I', String(suite), ...login];
        const { stdout } = await run(findBinary('ipmipower') ?? 'ipmipower', [...options, action]);
        return stdout.trim();
      };
      assert.match(await ipmipower('--stat'), /off$/);
      assert.match(await ipmipower('--on'), /ok$/);
      assert.match(await ipmipower('--stat'), /on$/);
      assert.match(await ipmipower('--reset'), /ok$/);
      assert.match(await ipmipower('--off'), /ok$/);
      assert.match(await ipmipower('--stat'), /off$/);
      assert.equal(lab.chassis.counts.reset, 1);
    });
  }
});

describe("our client and ipmitool on one of the lab's BMCs", needs('ipmitool'), () => {
  it('see what the other did', async (context) => {
    const lab = await startBmc(context);
    const fleet = await openFleet();
    context.after(() => fleet.close());
    const bmc = fleet.bmc({ address: lab.address, port: lab.port, ...admin });
    await bmc.power('on');
    assert.equal(await ipmitool(lab, 3, 'chassis power status'), 'Chassis Power is on');
    await ipmitool(lab, 3, 'chassis power off');
    assert.equal((await bmc.chassisStatus()).isPowerOn, false);
    await bmc.setBootDevice({ device: 'cdrom', lasts: 'once', firmware: 'bios' });
    assert.match(await ipmitool(lab, 3, 'chassis bootparam get 5'), /Force Boot from CD/);
    await ipmitool(lab, 3, 'chassis bootdev disk options=persistent,efiboot');
    assert.deepEqual(await bmc.bootDevice(), { isValid: true, device: 'disk', isPersistent: true, isUefi: true });
    await bmc.setUserName(4, 'ours');
    assert.match(await ipmitool(lab, 3, 'user list 1'), /4 +ours/);
    await ipmitool(lab, 3, 'user set name 5 theirs');
    assert.equal((await bmc.users())[4]?.name, 'theirs');
  });
});
