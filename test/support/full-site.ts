// The lab's site, extended by what it lacks: a rack, a power strip, messages, a spare server and a pool of addresses.
import type { Site } from '#contract/site/site.ts';
import type { TestApp } from './app.ts';

export function fullSite({ site }: TestApp): Site {
  const [first, ...others] = site.servers!;
  const [ports, ...switches] = site.switches!;
  const spare = {
    name: 'dc09r09ds09',
    bmc: { driver: 'ipmi', settings: { address: '192.0.2.9', username: 'provider', password: 'spare secret' } },
    serial: 'SN-9',
    rack: 'r01',
    unit: 7,
    height: 2,
    macs: ['52:54:00:99:99:99'],
    ports: [{ switch: ports!.name, ifIndex: 47 }],
    outlets: [
      { pdu: 'pdu1', outlet: 4 },
      { pdu: 'pdu1', outlet: '2.1.5' },
    ],
  };
  return {
    ...site,
    racks: [...site.racks!, { name: 'r01', place: 'Hall 1' }],
    messages: {
      'invoice.reminder': { subject: 'Invoice {invoicenum}', text: 'Dear {firstname}, please pay {total}.' },
    },
    pdus: [
      {
        name: 'pdu1',
        driver: 'snmp',
        settings: { version: '2c', address: '192.0.2.77', community: 'strip secret', model: 'apc-rpdu2' },
      },
    ],
    servers: [{ ...first!, rack: 'r01', unit: 1, serial: 'SN-1' }, ...others, spare],
    switches: [{ ...ports!, rack: 'r01', unit: 42 }, ...switches],
    netblocks: [...site.netblocks!, { cidr: '198.51.100.0/24', pool: 'ask' }],
  };
}
