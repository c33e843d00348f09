// The lab as a newcomer has it, as a separate process, with snmpget and snmpset as witnesses: Hostyard reports what
// they see, and they set what Hostyard reports.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { LabFile } from '#lab/lab-file.ts';
import { needs } from '#test/support/needs.ts';
import { request } from '#test/support/request.ts';
import { startServer } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';

const adminStatusOid = '1.3.6.1.2.1.2.2.1.7';
const operStatusOid = '1.3.6.1.2.1.2.2.1.8';
const [up, down] = ['1', '2'];

test('snmpget and snmpset see what Hostyard does, and it sees what they do', needs('snmpget', 'snmpset'), async () => {
  await using server = await startServer();
  const { dedicated, customer } = server.lab as unknown as LabFile;
  const { address, port, community, ifIndex } = dedicated.port!;
  const options = ['-v2c', '-c', community, '-m', '', '-Oqv', `${address}:${port}`];
  const snmpget = async (column: string): Promise<string> =>
    (await promisify(execFile)('snmpget', [...options, `${column}.${ifIndex}`])).stdout.trim();
  const service = dedicated.service;
  const call = async (method: string, path: string, params: Record<string, string>): Promise<unknown> =>
    (await request(server, method, path, { key: customer.key, params })).body['result'];
  const portText = (): Promise<unknown> => call('GET', `/v2/network/port/${service}`, {});

  assert.deepEqual([await snmpget(adminStatusOid), await snmpget(operStatusOid)], [up, up]);
  assert.equal(await call('DELETE', '/v2/network/port', { service }), 'Port Disabled.');
  assert.equal(await snmpget(adminStatusOid), down);
  await until(async () => (await snmpget(operStatusOid)) === down);
  assert.equal(await portText(), 'cust-1001 web1 - Down / Down');

  await promisify(execFile)('snmpset', [...options, `${adminStatusOid}.${ifIndex}`, 'i', up]);
  await until(async () => (await portText()) === 'cust-1001 web1 - Up / Up', { saw: portText });
  await promisify(execFile)('snmpset', [...options, `${adminStatusOid}.${ifIndex}`, 'i', down]);
  assert.match(String(await portText()), / - Down \//);
  assert.equal(await call('PUT', '/v2/network/port', { service }), 'Port Enabled.');
  assert.equal(await snmpget(adminStatusOid), up);
});
