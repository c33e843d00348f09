import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { readSite, SiteError } from './file.ts';

const customer = `provider: { name: Test, currency: { code: EUR } }
customers:
  - id: 1
    firstname: Ada
    lastname: Winter
    email: ada@example.net
    address1: Street 1
    city: Town
    state: State
    postcode: 12345
    country: NL
`;

function faults(text: string): string[] {
  try {
    readSite(text, 'site.yaml');
    return [];
  } catch (error) {
    assert.ok(error instanceof SiteError, String(error));
    return error.message.split('\n');
  }
}
const invoice = (
  date: string,
  due: string,
  paid: string,
): string => `${customer.replace('12345', "'12345'")}    opening:
      invoices:
        - number: '1'
          date: '${date}'
          due: '${due}'
          lines: [{ type: Hosting, description: One month, amount: '1.00' }]
          payments:
            - { date: '${paid}', amount: '1.00', method: cash, reference: one }
`;

test('a day that no calendar has is refused where it stands, wherever a day can stand', () => {
  assert.deepEqual(faults(invoice('2024-02-29', '2024-03-31', '2024-12-31')), []);
  assert.deepEqual(faults(invoice('2026-02-31', '2026-13-01', '2026-02-29')), [
    'site.yaml:15:11: date must be a day such as 2026-01-31',
    'site.yaml:16:11: due must be a day such as 2026-01-31',
    'site.yaml:19:17: date must be a day such as 2026-01-31',
  ]);
});

test('one address in two spellings is there twice', () => {
  const service = (id: number, ip: string): string =>
    `  - { id: ${id}, customer: 1, type: vps, name: V, hostname: v${id}.example.net, ip: '${ip}', vmid: ${id} }\n`;
  const site = (one: string, other: string): string =>
    `${customer.replace('12345', "'12345'")}services:\n${service(1, one)}${service(2, other)}`;
  assert.deepEqual(faults(site('2001:db8::1', '2001:db8::2')), []);
  for (const [one, other] of [
    ['2001:db8::1', '2001:DB8:0:0::1'],
    ['192.0.2.1', '::ffff:192.0.2.1'],
  ] as const) {
    const [fault, ...more] = faults(site(one, other));
    assert.match(fault ?? '', new RegExp(`^site\\.yaml:14:\\d+: address ${other} is there twice$`));
    assert.deepEqual(more, []);
  }
});

const good = `provider:
  name: Test
  currency: { code: EUR }
customers:
  - id: 1
    firstname: Ada
    lastname: Winter
    email: ada@example.net
    address1: Street 1
    city: Lyon
    state: Rhone
    postcode: '69003'
    country: FR
    opening:
      invoices:
        - number: A-1
          date: 2026-01-31
          due: 2026-02-14
          lines: [{ type: Hosting, description: one month, amount: '10.00' }]
services:
  - { id: 10, customer: 1, type: vps, name: VPS, hostname: a.example.net, ip: 192.0.2.1, vmid: 5 }
`;

function placedFaults(text: string): string[] {
  try {
    readSite(text, 'site.yaml');
  } catch (error) {
    assert.ok(error instanceof SiteError, String(error));
    return error.faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
}

describe('a site file', () => {
  it('that is right has no faults', () => {
    assert.deepEqual(placedFaults(good), []);
  });

  const wrong: [name: string, from: string, to: string, fault: RegExp][] = [
    ['an unknown member', 'lastname: Winter', 'lastname: Winter\n    colour: red', /^8:5 colour is not known here$/],
    ['a missing one', '    lastname: Winter\n', '', /^5:5 lastname is missing$/],
    ['a number that is text', 'id: 1\n', 'id: one\n', /^5:5 id must be a whole number/],
    ['an amount without quotes', "amount: '10.00'", 'amount: 10.00', /^19:\d+ amount must be an amount in quotes/],
    ['a currency that is none', 'code: EUR', 'code: euro', /^3:15 code must be a currency code/],
    ['an address that is none', 'ip: 192.0.2.1', 'ip: 192.0.2', /^21:\d+ ip must be an IPv4 or IPv6 address/],
    ['a day that is none', 'date: 2026-01-31', 'date: 31.1.2026', /^17:11 date must be a day/],
    ['a day that the calendar does not have', 'due: 2026-02-14', 'due: 2026-02-31', /^18:11 due .*day/],
    ['due before date', 'due: 2026-02-14', 'due: 2026-01-30', /^18:11 due lies before date$/],
    ['a service of nobody', 'customer: 1', 'customer: 2', /^21:\d+ there is no customer 2$/],
    ['a virtual machine without vmid', ', vmid: 5', '', /^21:5 a vps service needs a vmid$/],
    ['a dedicated server without a name', 'type: vps', 'type: dedicated', /^21:5 a dedicated service needs a server$/],
    ['a member twice', 'country: FR', 'country: FR\n    country: FR', /^14:5 .*unique/i],
    ['what is no YAML', 'customers:', 'customers: [', /^\d+:\d+ /],
    ['a name for nothing', "postcode: '69003'", 'postcode: *nowhere', /^12:\d+ .*nowhere/],
  ];
  for (const [name, from, to, fault] of wrong) {
    it(`with ${name} says where`, () => {
      assert.ok(good.includes(from));
      const faults = placedFaults(good.replace(from, to));
      assert.ok(
        faults.some((one) => fault.test(one)),
        `${faults.join('\n')}\ndoes not match ${fault}`,
      );
    });
  }

  it('tells all its faults together', () => {
    const text = good
      .replace('code: EUR', 'code: euro')
      .replace('country: FR', 'country: France')
      .replace('vmid: 5', 'vmid: -1');
    assert.deepEqual(
      placedFaults(text).map((fault) => fault.split(' ')[1]),
      ['code', 'country', 'vmid'],
    );
  });

  it('that is empty, or something else, is refused with a place', () => {
    for (const text of ['', 'text', '- 1', '1', 'null', '{}']) assert.match(placedFaults(text)[0] ?? '', /^1:1 /, text);
  });

  it('that doubles itself without end is refused', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const name of 'bcdefghi') {
      const before = String.fromCharCode(name.charCodeAt(0) - 1);
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`);
    }
    assert.match(placedFaults(bomb.join('\n'))[0] ?? '', /^\d+:\d+ /);
  });
});
