import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { siteProblems } from '#test/support/site-problems.ts';

const site = `provider: { name: Test, currency: { code: EUR } }
racks:
  - { name: r01, height: 10, place: Hall 1 }
switches:
  - name: sw01
    driver: snmp
    settings: { version: '2c', address: 192.0.2.2, community: public }
    rack: r01
    unit: 10
    ports:
      - { ifIndex: 1, service: 1 }
      - { ifIndex: 2 }
servers:
  - name: dc01r01ds01
    bmc: { driver: ipmi, settings: { address: 192.0.2.3, username: u, password: p } }
    serial: S1
    rack: r01
    unit: 1
    height: 2
    ports: [{ switch: sw01, ifIndex: 1 }]
  - name: dc01r01ds02
    bmc: { driver: ipmi, settings: { address: 192.0.2.4, username: u, password: p } }
    serial: S2
    rack: r01
    unit: 3
    ports: [{ switch: sw01, ifIndex: 2 }]
    outlets: [{ pdu: pdu1, outlet: 2 }, { pdu: pdu1, outlet: '1.3' }]
netblocks:
  - { cidr: 203.0.113.0/24, gateway: 203.0.113.1 }
  - { cidr: 203.0.113.16/29, service: 1 }
customers:
  - { id: 1, firstname: A, lastname: B, email: a@example.net, address1: x, city: x, state: x, postcode: x, country: NL }
services:
  - { id: 1, customer: 1, type: dedicated, name: D, hostname: a.example.net, ip: 203.0.113.10, server: dc01r01ds01 }
  - { id: 2, customer: 1, type: dedicated, name: D, hostname: b.example.net, ip: 203.0.113.11, server: dc01r01ds02 }
pdus:
  - { name: pdu1, driver: snmp, settings: { version: '2c', address: 192.0.2.9, community: c, model: apc-rpdu2 } }
messages:
  invoice.reminder: { subject: 'Invoice {invoicenum}', text: 'Dear {firstname}, pay {total} {currency} by {duedate}.' }
`;

describe('a site file with equipment', () => {
  it('that is valid has no problems', () => {
    assert.deepEqual(siteProblems(site), []);
  });

  const wrong: [what: string, from: string, to: string, problem: string][] = [
    ['an unknown driver', 'driver: snmp', 'driver: telnet', '6:5 unknown driver telnet; available: snmp'],
    [
      'a duplicate port',
      'ifIndex: 2 }\n',
      'ifIndex: 1 }\n',
      '12:11 port 1 of sw01 is listed twice; list each port once',
    ],
    [
      'a port with two keys',
      'ifIndex: 2 }\n',
      'ifIndex: 2, name: ge2, alias: b }\n',
      '12:34 port 2 of sw01 already has a name; give only one of them',
    ],
    [
      'the same name for two ports',
      'ifIndex: 2 }\n',
      'ifIndex: 2, name: ge1 }\n      - { ifIndex: 3, name: ge1 }\n',
      '13:23 name ge1 is also used for port 2 of sw01',
    ],
    [
      'an outlet of an unknown power strip',
      '{ pdu: pdu1, outlet: 2 }',
      '{ pdu: pdu2, outlet: 2 }',
      '27:17 unknown power strip pdu2; add it under pdus',
    ],
    [
      'an outlet of two servers',
      'ifIndex: 1 }]\n',
      "ifIndex: 1 }]\n    outlets: [{ pdu: pdu1, outlet: '1.3' }]\n",
      '28:54 outlet 1.3 of pdu1 already belongs to dc01r01ds01',
    ],
    [
      'an invalid outlet',
      'outlet: 2 }',
      'outlet: A2 }',
      "27:28 outlet must be the number of an outlet, or its index in the strip's tables such as '2.1.5'",
    ],
    [
      'an unknown model of a power strip',
      'model: apc-rpdu2',
      'model: other',
      '37:94 model must be one of apc-rpdu2, apc-rpdu, raritan-pdu2, servertech-sentry3, servertech-sentry4, eaton-epdu',
    ],
    [
      'a model that is waited for longer than a proxy would',
      'racks:\n',
      'models:\n  - { name: old, waits: { commandSeconds: 51 } }\nracks:\n',
      '3:27 commandSeconds must be a whole number from 2 to 50',
    ],
    [
      'a model with two waits',
      'racks:\n',
      'models:\n  - { name: old, waits: {} }\n  - { name: old, waits: {} }\nracks:\n',
      '4:7 model old is defined twice; give each its own name',
    ],
    [
      'a command with less time than its response',
      'racks:\n',
      'models:\n  - { name: old, waits: { responseSeconds: 9, commandSeconds: 5 } }\nracks:\n',
      '3:47 commandSeconds must not be less than responseSeconds',
    ],
    [
      'a device that is not waited for',
      'community: public }',
      'community: public, waits: { pollSeconds: 0 } }',
      '7:80 pollSeconds must be a whole number from 5 to 50',
    ],
    [
      'a port that leads to two servers',
      'switch: sw01, ifIndex: 2',
      'switch: sw01, ifIndex: 1',
      '26:29 port 1 of sw01 already leads to dc01r01ds01',
    ],
    [
      'a port of another service',
      'ifIndex: 1, service: 1',
      'ifIndex: 1, service: 2',
      '20:29 port 1 of sw01 belongs to service 2, which does not have server dc01r01ds01',
    ],
    [
      'a port on an unknown switch',
      'switch: sw01, ifIndex: 2',
      'switch: sw02, ifIndex: 2',
      '26:15 unknown switch sw02; add it under switches',
    ],
    [
      'a port of an unknown service',
      'ifIndex: 1, service: 1',
      'ifIndex: 1, service: 9',
      '11:23 unknown service 9; add it under services',
    ],
    ['an occupied unit', 'unit: 3', 'unit: 2', '25:5 unit 2 of rack r01 is occupied by server dc01r01ds01'],
    ['a unit above the top of the rack', 'unit: 10', 'unit: 11', '9:5 rack r01 has only 10 units'],
    [
      'an unknown rack',
      'rack: r01\n    unit: 3',
      'rack: r09\n    unit: 3',
      '24:5 unknown rack r09; add it under racks',
    ],
    ['a rack without a unit', '    unit: 3\n', '', '21:5 rack and unit go together; add the missing one'],
    [
      'a duplicate rack',
      'Hall 1 }',
      'Hall 1 }\n  - { name: r01 }',
      '4:7 rack r01 is defined twice; give each rack its own name',
    ],
    [
      'a duplicate serial number',
      'serial: S2',
      'serial: S1',
      '23:5 serial S1 is also used for dc01r01ds01; serial numbers must be unique',
    ],
    [
      'a duplicate BMC address',
      'address: 192.0.2.4',
      'address: 192.0.2.3',
      '22:38 address 192.0.2.3 is used twice; each device needs its own',
    ],
    [
      'a duplicate service address',
      'ip: 203.0.113.11',
      'ip: 203.0.113.10',
      '35:78 address 203.0.113.10 is used twice; give each service its own ip',
    ],
    [
      'an address of another service',
      'ip: 203.0.113.11',
      'ip: 203.0.113.17',
      '35:78 address 203.0.113.17 is in 203.0.113.16/29, which belongs to service 1; use another address',
    ],
    [
      'an address that is a gateway',
      'ip: 203.0.113.11',
      'ip: 203.0.113.1',
      '35:78 address 203.0.113.1 is the gateway of 203.0.113.0/24; use another address',
    ],
    [
      'an unknown placeholder',
      'Dear {firstname}',
      'Dear {name}',
      '39:56 unknown placeholder {name}; available: {firstname}, {lastname}, {company}, {email}, {account}, {provider}, {invoicenum}, {total}, {currency}, {duedate}, {reminder}',
    ],
    [
      'an unknown message',
      'invoice.reminder:',
      'invoice.greeting:',
      '39:3 invoice.greeting is not a known field here; remove it or correct its spelling',
    ],
    [
      'an invalid secret reference',
      'community: public',
      'community: { env: 1 }',
      '7:52 community must be text, or { env: NAME }, { file: PATH }, { credential: NAME } or { sealed: TEXT }',
    ],
    [
      'a secret that is neither text nor a reference',
      'messages:',
      'licenceHook: { url: https://example.net, secret: { enviroment: HOOK } }\nmessages:',
      '38:42 secret must be text, or { env: NAME }, { file: PATH }, { credential: NAME } or { sealed: TEXT }',
    ],
  ];
  for (const [what, from, to, problem] of wrong) {
    it(`with ${what} is rejected at its position`, () => {
      assert.ok(site.includes(from), from);
      const problems = siteProblems(site.replace(from, to));
      assert.ok(problems.includes(problem), `${JSON.stringify(problems)} lacks ${JSON.stringify(problem)}`);
    });
  }

  it('reports all its problems, in the order of the file', () => {
    const text = site
      .replace('driver: snmp', 'driver: telnet')
      .replace('unit: 3', 'unit: 2')
      .replace('{total}', '{sum}');
    assert.deepEqual(
      siteProblems(text).map((problem) => problem.split(':')[0]),
      ['6', '25', '39'],
    );
  });
});
