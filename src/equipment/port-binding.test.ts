import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Port } from '#store/network/switches.ts';
import { bindPort } from './port-binding.ts';

const stored: Port = {
  id: 1,
  switch: 'sw01',
  if_index: 1,
  service_id: 1001,
  server: null,
  alias: '',
  speed: 0,
  key_by: null,
  key: null,
  current_index: null,
  counter_bits: null,
  problem: null,
  cabled_to: null,
};
const present = (ifIndex: number, name: string, description = name, alias = '') => ({
  ifIndex,
  name,
  description,
  alias,
});
const byName = { key_by: 'name', key: 'ge1' } as const;

describe('a stored port', () => {
  it('is the port with its number when it is first seen, and is known by its name from then on', () => {
    const ports = [present(1, 'ge1'), present(2, 'ge2')];
    assert.deepEqual(bindPort(stored, ports, [stored]), { key: { by: 'name', value: 'ge1' }, found: ports[0] });
    const known = { ...stored, ...byName };
    const renumbered = [present(1, 'ge2'), present(7, 'ge1')];
    assert.deepEqual(bindPort(known, renumbered, [known]), { key: { by: 'name', value: 'ge1' }, found: renumbered[1] });
  });

  it('is known by its description if several ports share its name, as layers of one interface do', () => {
    const ports = [present(1, 'Fa0/1', 'FastEthernet0/1'), present(2, 'Fa0/1', 'FastEthernet0/1 uncontrolled')];
    const key = { by: 'description', value: 'FastEthernet0/1' };
    assert.deepEqual(bindPort(stored, ports, [stored]), { key, found: ports[0] });
  });

  it('is not used if it is missing, or not the only one of its kind', () => {
    const known = { ...stored, ...byName };
    const alias = { ...stored, key_by: 'alias', key: 'cust-1' } as const;
    assert.deepEqual(bindPort(stored, [present(2, 'ge2')], [stored]), { problem: 'missing' });
    assert.deepEqual(bindPort(stored, [present(1, '')], [stored]), { problem: 'ambiguous' });
    assert.deepEqual(bindPort(known, [present(1, 'ge2')], [known]), { problem: 'missing' });
    assert.deepEqual(bindPort(known, [present(1, 'ge1'), present(2, 'ge1')], [known]), { problem: 'ambiguous' });
    const twins = [present(1, 'ge1', 'ge1', 'cust-1'), present(2, 'ge2', 'ge2', 'cust-1')];
    assert.deepEqual(bindPort(alias, twins, [alias]), { problem: 'ambiguous' });
  });

  it('is not a port that another service or server has, whatever that one is known by', () => {
    const other = { ...stored, id: 2, if_index: 501, ...byName };
    const ports = [present(1, 'ge1', 'ge1', 'cust-1')];
    assert.deepEqual(bindPort(stored, ports, [stored, other]), { problem: 'taken' });
    const alias = { ...other, key_by: 'alias', key: 'cust-1' } as const;
    assert.deepEqual(bindPort(stored, ports, [stored, alias]), { problem: 'taken' });
    const unassigned = { ...other, service_id: null };
    assert.ok('found' in bindPort(stored, ports, [stored, unassigned]));
  });
});
