import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupByFamily, monogram } from './template-families.ts';

test('versions of one operating system are grouped, in catalogue order', () => {
  const templates = [
    { name: 'Debian 12', value: 'debian-12' },
    { name: 'OS-A 5, 32-bit', value: 'a32' },
    { name: 'Ubuntu 24.04 LTS (64-bit)', value: 'ubuntu' },
    { name: 'OS-A 6, 64-bit', value: 'a64' },
    { name: 'OS-C hypervisor', value: 'c' },
  ];
  assert.deepEqual(groupByFamily(templates), [
    { name: 'Debian', versions: [{ label: '12', value: 'debian-12' }] },
    {
      name: 'OS-A',
      versions: [
        { label: '5, 32-bit', value: 'a32' },
        { label: '6, 64-bit', value: 'a64' },
      ],
    },
    { name: 'Ubuntu', versions: [{ label: '24.04 LTS (64-bit)', value: 'ubuntu' }] },
    { name: 'OS-C hypervisor', versions: [{ label: 'Latest', value: 'c' }] },
  ]);
});

test('an operating system has a two-letter monogram', () => {
  assert.deepEqual(['Debian', 'OS-A', 'Rocky Linux', 'X'].map(monogram), ['De', 'OA', 'RL', 'X']);
});
