// The IPMI driver in the conformance suite of BMC drivers, against a third party's BMC, with ipmitool as the other
// client.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describeBmcDriver, wrongPassword } from '#drivers/bmc/conformance.ts';
import type { BootTarget } from '#drivers/bmc/driver.ts';
import { ipmiDriver } from '#drivers/bmc/ipmi.ts';
import { openIpmiSession } from '#test/support/ipmi-session.ts';
import { simulatedSensors, startIpmiSim } from '#test/support/ipmi-sim.ts';
import { needs } from '#test/support/needs.ts';
import { openFleet } from '#protocols/ipmi/fleet.ts';

/** ipmi_sim has 63 slots: one for the anonymous user, one for the provider, and most are taken beforehand. */
const otherUsers = 58;
const freeUsers = 3;

describeBmcDriver('the IPMI driver on ipmi_sim', needs('ipmi_sim', 'ipmitool'), async () => {
  const sim = await startIpmiSim({ otherUsers, sensors: simulatedSensors() });
  const fleet = await openFleet({ deadlineMs: 60_000 });
  const driver = ipmiDriver(async () => fleet);
  const { address, port, username, password } = sim;
  const provider = { address, port, username, password };
  const ipmitool = async (login: { username: string; password: string }, ...command: string[]): Promise<string> => {
    const options = ['-I', 'lanplus', '-C', '3', '-L', 'operator', '-H', address, '-p', String(port)];
    const args = [...options, '-U', login.username, '-P', login.password, ...command];
    return (await promisify(execFile)('ipmitool', args)).stdout;
  };
  // Before that, the clock of the simulator counts from 0.
  await ipmitool(sim, 'sel', 'time', 'set', 'now');
  const commands = {
    fan: { ok: 'sensor_set_value 0x20 0 3 90 1', critical: 'sensor_set_value 0x20 0 3 5 1' },
    psu: { ok: 'sensor_set_bit 0x20 0 7 1 0 1', critical: 'sensor_set_bit 0x20 0 7 1 1 1' },
    drive: { ok: 'sensor_set_bit 0x20 0 9 1 0 1', critical: 'sensor_set_bit 0x20 0 9 1 1 1' },
  };
  const logIn = (name: string, secret: string) => openIpmiSession({ address, port, username: name, password: secret });
  return {
    async open(access) {
      if (access === 'provider') return driver.open(provider);
      if (access === 'wrong password') return driver.open({ ...provider, password: wrongPassword });
      return driver.open({ ...provider, address: '127.213.1.2' });
    },
    power: async () => ((await ipmitool(sim, 'chassis', 'power', 'status')).includes('is on') ? 'on' : 'off'),
    nextBoot: async () => {
      const device = await sim.nextBoot();
      return device === 'default' ? 'disk' : (device as BootTarget);
    },
    async canLogIn(name, secret) {
      // ipmitool does not cancel a login with a wrong password, which ipmi_sim then counts as a session of the user.
      await using session = await logIn(name, secret);
      if (!(await session.works())) return false;
      await ipmitool({ username: name, password: secret }, 'chassis', 'power', 'status');
      return true;
    },
    logIn,
    keepsSessions: true,
    firmware: '9.08',
    async serial() {
      const line = await sim.serialLine();
      let typed = '';
      line.on('data', (chunk) => (typed += chunk.toString('latin1')));
      return { print: (text) => void line.write(text), typed: () => typed };
    },
    hardware: {
      setCondition: (part, condition) => sim.run(commands[part][condition]),
      clearLog: async () => void (await ipmitool(sim, 'sel', 'clear')),
    },
    freeUsers,
    lacks: ['media', 'inventory', 'controller'],
    async [Symbol.asyncDispose]() {
      await fleet.close();
      await sim.stop();
    },
  };
});
