// What the kernel of a lab server does with a break on its serial line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '#test/support/until.ts';
import { SerialConsole } from './serial.ts';

test('a break makes the next key one for the kernel, and only the next', async () => {
  let said = '';
  let reboots = 0;
  const serial = new SerialConsole({
    hostname: 'lab',
    rootPassword: 'x',
    bootMs: 0,
    onBoot: () => Promise.resolve('login'),
    onReboot: () => void reboots++,
    onPowerOff: () => {},
  });
  serial.listen((text) => (said += text));
  serial.break();
  serial.type(Buffer.from('b'));
  assert.equal(said, '', 'nothing runs yet');
  serial.boot('disk');
  await until(() => said.endsWith('login: '), { saw: () => said });
  serial.break();
  serial.type(Buffer.from('hb'));
  assert.match(said, /sysrq: HELP : .*\r\nb$/);
  assert.equal(reboots, 0);
  serial.break();
  serial.type(Buffer.from('b'));
  assert.match(said, /sysrq: Resetting\r\n$/);
  assert.equal(reboots, 1);
});
