import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '#test/support/until.ts';
import { createLabServer, type LabServer, type LabServerState } from './bmc/server.ts';

const timing = { bootMs: 0, cycleOffMs: 0, softOffMs: 0 };
const disks = [
  { serial: 'ONE', sizeGb: 1 },
  { serial: 'TWO', sizeGb: 1 },
];

/** Boots the server and returns what it prints until then, and after each command. */
async function boot(server: LabServer, end: string, ...commands: readonly string[]): Promise<string> {
  let output = '';
  server.serial.listen((text) => (output += text));
  const prints = (text: string): Promise<void> => until(() => output.endsWith(text), { saw: () => output });
  server.chassis.turnOn();
  await prints(end);
  for (const [line, response] of [['root', 'Password: '], ['root', '# '], ...commands.map((line) => [line, '# '])]) {
    if (commands.length === 0) break;
    server.serial.type(Buffer.from(`${line}\n`));
    await prints(response!);
  }
  server.chassis.turnOff();
  return output;
}

test('disks of a lab server keep what is written until they are erased, across restarts of the lab', async () => {
  let stored: LabServerState | undefined;
  const start = (): LabServer => {
    const server = createLabServer({ disks }, timing, stored, () => (stored = server.state()));
    return server;
  };
  await boot(start(), 'login: ', 'echo some text > /dev/sdb');
  assert.match(await boot(start(), 'login: ', 'cat /dev/sda', 'cat /dev/sdb'), /Debian[^]*some text\r\n/);
  assert.match(await boot(start(), 'login: ', 'cat /dev/sdc'), /command not found/);

  const failing = start();
  failing.disks.malfunctions = { failingDisks: ['TWO'], missingDisks: ['ONE'] };
  assert.deepEqual(failing.disks.present, [disks[1]]);
  assert.equal(failing.disks.erase(disks[1]!), false);
  const healthy = start();
  assert.deepEqual(healthy.disks.state(), { ONE: 'Debian GNU/Linux 12', TWO: 'some text' });
  for (const disk of disks) assert.equal(healthy.disks.erase(disk), true);
  await boot(start(), 'No bootable device.\r\n');
});
