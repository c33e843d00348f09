import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { Site } from '#contract/site/site.ts';
import { checkNetworkIdentity } from './boot-checks.ts';

const problemsOf = (text: string): string[] =>
  [...checkNetworkIdentity(parse(text) as Site)].map(([path, message]) => `${path.join('.')}: ${message}`);

test('a MAC address, UUID, boot address or disk serial may be listed once, however it is spelled', () => {
  const text = `
servers:
  - { name: dc01r01ds01, macs: ['52:54:00:00:00:01'], uuid: 8D1F5BD4-7F0C-4C5E-9A54-2F1F6A3C1001, bootAddress: '2001:db8::1', disks: [{ serial: A }, { serial: A }] }
  - { name: dc01r01ds02, macs: ['52-54-00-00-00-01'], uuid: 8d1f5bd4-7f0c-4c5e-9a54-2f1f6a3c1001, bootAddress: '2001:DB8:0::1', disks: [{ serial: A }] }
`;
  assert.deepEqual(problemsOf(text), [
    'servers.0.disks.1.serial: disk serial A is listed twice; list each disk once',
    'servers.1.macs.0: MAC address 52-54-00-00-00-01 is listed twice; it belongs to one server',
    'servers.1.uuid: UUID 8d1f5bd4-7f0c-4c5e-9a54-2f1f6a3c1001 is listed twice; it belongs to one server',
    'servers.1.bootAddress: boot address 2001:DB8:0::1 is listed twice; it belongs to one server',
  ]);
});

test('a gateway outside its netblock is rejected', () => {
  const text = 'netblocks: [{ cidr: 192.0.2.0/24, gateway: 192.0.2.1 }, { cidr: 192.0.2.0/25, gateway: 192.0.2.129 }]';
  assert.deepEqual(problemsOf(text), [
    'netblocks.1.gateway: gateway 192.0.2.129 is not in 192.0.2.0/25; use an address of the netblock',
  ]);
});
