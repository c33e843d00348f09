// Faults of a site file about servers that boot over the network.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { Site } from '#contract/site.ts';
import { bootFaults } from './boot-faults.ts';

const faultsOf = (text: string): string[] =>
  [...bootFaults(parse(text) as Site)].map(([path, message]) => `${path.join('.')}: ${message}`);

test('a card, a UUID and a disk are there once, whatever the spelling', () => {
  const text = `
servers:
  - { name: dc01r01ds01, macs: ['52:54:00:00:00:01'], uuid: 8D1F5BD4-7F0C-4C5E-9A54-2F1F6A3C1001, disks: [{ serial: A }, { serial: A }] }
  - { name: dc01r01ds02, macs: ['52-54-00-00-00-01'], uuid: 8d1f5bd4-7f0c-4c5e-9a54-2f1f6a3c1001, disks: [{ serial: A }] }
`;
  assert.deepEqual(faultsOf(text), [
    'servers.0.disks.1.serial: A is there twice',
    'servers.1.macs.0: 52-54-00-00-00-01 is there twice',
    'servers.1.uuid: 8d1f5bd4-7f0c-4c5e-9a54-2f1f6a3c1001 is there twice',
  ]);
});

test('a gateway lies in its block', () => {
  const text = 'netblocks: [{ cidr: 192.0.2.0/24, gateway: 192.0.2.1 }, { cidr: 192.0.2.0/25, gateway: 192.0.2.129 }]';
  assert.deepEqual(faultsOf(text), ['netblocks.1.gateway: 192.0.2.129 does not lie in 192.0.2.0/25']);
});
