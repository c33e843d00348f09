// Templates grouped by their systems.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { familiesOf, monogram } from './families.ts';

test('versions of one system stand together, in the order of the catalogue', () => {
  const templates = [
    { name: 'Debian 12', value: 'debian-12' },
    { name: 'OS-A 5, 32-bit', value: 'a32' },
    { name: 'Ubuntu 24.04 LTS (64-bit)', value: 'ubuntu' },
    { name: 'OS-A 6, 64-bit', value: 'a64' },
    { name: 'OS-C hypervisor', value: 'c' },
  ];
  assert.deepEqual(familiesOf(templates), [
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

test('a system has a mark of two letters', () => {
  assert.deepEqual(['Debian', 'OS-A', 'Rocky Linux', 'X'].map(monogram), ['De', 'OA', 'RL', 'X']);
});
