import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '#test/support/until.ts';
import { SerialConsole } from './serial.ts';

test('a break sends only the next key to the kernel', async () => {
  let output = '';
  let reboots = 0;
  const serial = new SerialConsole({
    hostname: 'lab',
    rootPassword: 'x',
    bootMs: 0,
    onBoot: () => Promise.resolve('login'),
    onReboot: () => void reboots++,
    onPowerOff: () => {},
  });
  serial.listen((text) => (output += text));
  serial.break();
  serial.type(Buffer.from('b'));
  assert.equal(output, '', 'nothing is running yet');
  serial.boot('disk');
  await until(() => output.endsWith('login: '), { saw: () => output });
  serial.break();
  serial.type(Buffer.from('hb'));
  assert.match(output, /sysrq: HELP : .*\r\nb$/);
  assert.equal(reboots, 0);
  serial.break();
  serial.type(Buffer.from('b'));
  assert.match(output, /sysrq: Resetting\r\n$/);
  assert.equal(reboots, 1);
});
