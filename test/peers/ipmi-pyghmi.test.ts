// Our client against a BMC made of pyghmi, whose habits differ from those of ipmi_sim.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { openFleet, type BmcLogin, type Fleet } from '#protocols/ipmi/fleet.ts';
import { startDaemon } from '#test/support/daemon.ts';
import { needs } from '#test/support/needs.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

const program = join(import.meta.dirname, '..', 'support', 'pyghmi-bmc.py');

describe('our client on pyghmi', needs('fakebmc'), () => {
  const owned = suiteResources();
  let login: BmcLogin;
  let fleet: Fleet;
  before(async () => {
    const daemon = owned.use(await startDaemon('/usr/bin/python3', [program]));
    await daemon.printed('\n');
    const port = Number(/port (\d+)/.exec(daemon.output())?.[1]);
    login = { address: '127.0.0.1', port, username: 'admin', password: 'pyghmi-secret' };
    fleet = owned.use(await openFleet({ offMs: 50, deadlineMs: 20_000 }));
  });

  it('controls power and boot device', async () => {
    const bmc = fleet.bmc(login);
    assert.equal((await bmc.deviceId()).ipmiVersion, '2.0');
    await bmc.power('on');
    assert.equal((await bmc.chassisStatus()).isPowerOn, true);
    await bmc.powerCycle();
    await bmc.setBootDevice({ device: 'pxe', lasts: 'once', firmware: 'bios' });
    await bmc.power('off');
    assert.equal((await bmc.chassisStatus()).isPowerOn, false);
    await bmc.close();
  });

  it('opens another session after one was closed', async () => {
    for (let session = 0; session < 2; session++) {
      const bmc = fleet.bmc(login);
      assert.equal((await bmc.chassisStatus()).isPowerOn, false);
      await bmc.close();
    }
  });

  it('uses the serial console and commands at the same time', async () => {
    const bmc = fleet.bmc(login);
    await bmc.power('on');
    let output = '';
    const console = await bmc.openConsole({
      onData: (data) => void (output += data.toString()),
      onEnd: (reason) => void (output += reason.message),
      whenTaken: 'fail',
    });
    await console.write(Buffer.from('hello\r'));
    await until(() => output.includes('HELLO'));
    assert.equal((await bmc.chassisStatus()).isPowerOn, true);
    await console.write(Buffer.from('again\r'));
    await until(() => output.includes('AGAIN'));
    await console.close();
    await bmc.close();
  });
});
