import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterCards, isFiltered } from './filter.ts';

const types = new Map([
  ['customers', 'bridged'],
  ['overlay', 'ovn'],
]);
const networks = ['192.0.2.10/32', '198.51.100.8/29', '2001:db8:a::/64', '2001:db8:b::/64'];
const root = { type: 'disk', path: '/' };
const filter = (card: Record<string, string>, list = networks) =>
  filterCards({ root, eth0: { type: 'nic', ...card } }, list, types, true);

describe('the filter of a container', () => {
  it('allows its first address of each family, and the rest as routes', () => {
    for (const card of [{ nictype: 'bridged', parent: 'br0' }, { network: 'customers' }]) {
      const devices = filter(card);
      assert.deepEqual(devices, {
        eth0: {
          type: 'nic',
          ...card,
          'security.mac_filtering': 'true',
          'security.port_isolation': 'true',
          'security.ipv4_filtering': 'true',
          'ipv4.address': '192.0.2.10',
          'ipv4.routes.external': '198.51.100.8/29',
          'security.ipv6_filtering': 'true',
          'ipv6.address': '2001:db8:a::',
          'ipv6.routes.external': '2001:db8:a::/64,2001:db8:b::/64',
        },
      });
      assert.ok(isFiltered(devices, types));
    }
  });

  it('blocks a family without addresses, and forgets addresses that were taken away', () => {
    const { eth0 } = filter(filter({ network: 'customers' })['eth0']!, ['192.0.2.11/32']);
    assert.deepEqual([eth0!['ipv4.address'], eth0!['ipv4.routes.external']], ['192.0.2.11', undefined]);
    assert.deepEqual([eth0!['ipv6.address'], eth0!['ipv6.routes.external']], ['none', undefined]);
  });

  it('covers only MAC addresses in a VLAN of LXD', () => {
    const { eth0 } = filter({ nictype: 'bridged', parent: 'br0', vlan: '7' });
    assert.deepEqual([eth0!['security.mac_filtering'], eth0!['security.ipv4_filtering']], ['true', undefined]);
  });

  it('is left to cards that enforce addresses themselves, and rejected for those that cannot be filtered', () => {
    assert.deepEqual(filter({ network: 'overlay' }), { eth0: { type: 'nic', network: 'overlay' } });
    assert.ok(isFiltered({ eth0: { type: 'nic', network: 'overlay' } }, types));
    for (const nictype of ['macvlan', 'p2p', 'physical']) {
      assert.throws(() => filter({ nictype }), { code: 'capability_missing' });
      assert.ok(!isFiltered({ eth0: { type: 'nic', nictype } }, types));
    }
  });
});
