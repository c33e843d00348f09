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

function problems(text: string): string[] {
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

test('an impossible calendar date is rejected at its line, wherever a date may appear', () => {
  assert.deepEqual(problems(invoice('2024-02-29', '2024-03-31', '2024-12-31')), []);
  assert.deepEqual(problems(invoice('2026-02-31', '2026-13-01', '2026-02-29')), [
    'site.yaml:15:11: date must be a day such as 2026-01-31',
    'site.yaml:16:11: due must be a day such as 2026-01-31',
    'site.yaml:19:17: date must be a day such as 2026-01-31',
  ]);
});

test('one address in two spellings is a duplicate', () => {
  const service = (id: number, ip: string): string =>
    `  - { id: ${id}, customer: 1, type: vps, name: V, hostname: v${id}.example.net, ip: '${ip}', vmid: ${id} }\n`;
  const site = (address: string, other: string): string =>
    `${customer.replace('12345', "'12345'")}services:\n${service(1, address)}${service(2, other)}`;
  assert.deepEqual(problems(site('2001:db8::1', '2001:db8::2')), []);
  for (const [address, other] of [
    ['2001:db8::1', '2001:DB8:0:0::1'],
    ['192.0.2.1', '::ffff:192.0.2.1'],
  ] as const) {
    const [problem, ...more] = problems(site(address, other));
    assert.match(
      problem ?? '',
      new RegExp(`^site\\.yaml:14:\\d+: address ${other} is used twice; give each service its own ip$`),
    );
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

function positionsOf(text: string): string[] {
  try {
    readSite(text, 'site.yaml');
  } catch (error) {
    assert.ok(error instanceof SiteError, String(error));
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
}

describe('a site file', () => {
  it('that is valid has no problems', () => {
    assert.deepEqual(positionsOf(good), []);
  });

  const wrong: [name: string, from: string, to: string, pattern: RegExp][] = [
    [
      'an unknown field',
      'lastname: Winter',
      'lastname: Winter\n    colour: red',
      /^8:5 colour is not a known field here/,
    ],
    ['a missing field', '    lastname: Winter\n', '', /^5:5 lastname is missing$/],
    ['text instead of a number', 'id: 1\n', 'id: one\n', /^5:5 id must be a whole number/],
    ['an amount without quotes', "amount: '10.00'", 'amount: 10.00', /^19:\d+ amount must be an amount in quotes/],
    ['an invalid currency', 'code: EUR', 'code: euro', /^3:15 code must be a currency code/],
    ['an invalid address', 'ip: 192.0.2.1', 'ip: 192.0.2', /^21:\d+ ip must be an IPv4 or IPv6 address/],
    ['an invalid date', 'date: 2026-01-31', 'date: 31.1.2026', /^17:11 date must be a day/],
    ['an impossible date', 'due: 2026-02-14', 'due: 2026-02-31', /^18:11 due .*day/],
    ['a due date before the invoice date', 'due: 2026-02-14', 'due: 2026-01-30', /^18:11 due must not be before date$/],
    ['a service of an unknown customer', 'customer: 1', 'customer: 2', /^21:\d+ unknown customer 2;/],
    ['a virtual machine without vmid', ', vmid: 5', '', /^21:5 a vps service needs vmid$/],
    ['a dedicated service without a server', 'type: vps', 'type: dedicated', /^21:5 a dedicated service needs server$/],
    ['a duplicate field', 'country: FR', 'country: FR\n    country: FR', /^14:5 .*unique/i],
    ['a YAML syntax error', 'customers:', 'customers: [', /^\d+:\d+ /],
    ['an undefined alias', "postcode: '69003'", 'postcode: *nowhere', /^12:\d+ .*nowhere/],
  ];
  for (const [name, from, to, pattern] of wrong) {
    it(`with ${name} is rejected at its position`, () => {
      assert.ok(good.includes(from));
      const problems = positionsOf(good.replace(from, to));
      assert.ok(
        problems.some((problem) => pattern.test(problem)),
        `${problems.join('\n')}\ndoes not match ${pattern}`,
      );
    });
  }

  it('reports all its problems together', () => {
    const text = good
      .replace('code: EUR', 'code: euro')
      .replace('country: FR', 'country: France')
      .replace('vmid: 5', 'vmid: -1');
    assert.deepEqual(
      positionsOf(text).map((pattern) => pattern.split(' ')[1]),
      ['code', 'country', 'vmid'],
    );
  });

  it('that is empty or not a mapping is rejected with a position', () => {
    for (const text of ['', 'text', '- 1', '1', 'null', '{}']) assert.match(positionsOf(text)[0] ?? '', /^1:1 /, text);
  });

  it('with an alias bomb is rejected', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const name of 'bcdefghi') {
      const before = String.fromCharCode(name.charCodeAt(0) - 1);
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`);
    }
    assert.match(positionsOf(bomb.join('\n'))[0] ?? '', /^\d+:\d+ /);
  });
});
