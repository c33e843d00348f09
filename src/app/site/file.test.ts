import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { siteProblems } from '#test/support/site-problems.ts';

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

test('an impossible calendar date is rejected at its line, wherever a date may appear', () => {
  const invoice = (date: string, due: string, paid: string): string =>
    good
      .replace('date: 2026-01-31', `date: ${date}`)
      .replace('due: 2026-02-14', `due: ${due}`)
      .replace(
        'services:',
        `          payments: [{ date: ${paid}, amount: '1.00', method: cash, reference: A }]\nservices:`,
      );
  assert.deepEqual(siteProblems(invoice('2024-02-29', '2024-03-31', '2024-12-31')), []);
  assert.deepEqual(siteProblems(invoice('2026-02-31', '2026-13-01', '2026-02-29')), [
    '17:11 date must be a day such as 2026-01-31',
    '18:11 due must be a day such as 2026-01-31',
    '20:24 date must be a day such as 2026-01-31',
  ]);
});

test('one address in two spellings is a duplicate', () => {
  const second = '  - { id: 11, customer: 1, type: vps, name: VPS, hostname: b.example.net, ip: OTHER, vmid: 6 }\n';
  const withTwo = (address: string, other: string): string =>
    good.replace('192.0.2.1', `'${address}'`) + second.replace('OTHER', `'${other}'`);
  assert.deepEqual(siteProblems(withTwo('2001:db8::1', '2001:db8::2')), []);
  for (const [address, other] of [
    ['2001:db8::1', '2001:DB8:0:0::1'],
    ['192.0.2.1', '::ffff:192.0.2.1'],
  ] as const)
    assert.deepEqual(siteProblems(withTwo(address, other)), [
      `22:75 address ${other} is used twice; give each service its own ip`,
    ]);
});

test('a server has any name that is unique and cannot be mistaken for another device', () => {
  const withServers = (...names: string[]): string =>
    `${good}servers:\n${names
      .map((name, index) => {
        const settings = `{ address: 10.0.0.${index + 1}, username: a, password: b }`;
        return `  - { name: '${name}', bmc: { driver: ipmi, settings: ${settings} } }\n`;
      })
      .join('')}`;
  const longest = 'a'.repeat(64);
  const names = ['web01', 'ams1-r12-srv034', 'AMS1_R12.b', '4u-7', 'dc01r01ds01', 'vm-host-1', 'router2', 'x', longest];
  assert.deepEqual(siteProblems(withServers(...names)), []);
  for (const name of ['', '12', '10.0.0.1', '-a', 'a-', 'a b', 'a/b', 'a#b', 'a%b', 'sérver', `${longest}a`])
    assert.deepEqual(
      siteProblems(withServers(name)).map((problem) => problem.split(':')[0]),
      ['23'],
      name,
    );
  assert.deepEqual(siteProblems(withServers('web01', 'WEB01', 'vm-12', 'VM-12', 'Router')), [
    '24:7 server WEB01 is defined twice; give each server its own name',
    '25:7 vm-12 is reserved; give the server another name',
    '26:7 server VM-12 is defined twice; give each server its own name',
    '26:7 VM-12 is reserved; give the server another name',
    '27:7 Router is reserved; give the server another name',
  ]);
});

test('a mistake in the syntax is reported once, where it was noticed', () => {
  const hint = 'check the indentation, quotes and brackets here and in the lines above';
  for (const [from, to, problem] of [
    ['provider:', ' provider:', `4:1 this is not valid YAML (Unexpected scalar at node end); ${hint}`],
    ['    lastname', '   lastname', `7:1 this is not valid YAML (Sequence item without - indicator); ${hint}`],
    ['    city:', '\tcity:', '10:1 this is not valid YAML (Tabs are not allowed as indentation); use spaces'],
  ] as const)
    assert.deepEqual(siteProblems(good.replace(from, to)), [problem]);
  assert.deepEqual(siteProblems(`${good}customers: []\n'services': []\n`), [
    '22:1 customers appears twice; merge the two',
    "23:1 'services' appears twice; merge the two",
  ]);
});

describe('a site file', () => {
  it('that is valid has no problems', () => {
    assert.deepEqual(siteProblems(good), []);
  });

  const wrong: [name: string, from: string, to: string, pattern: RegExp][] = [
    [
      'an unknown field',
      'lastname: Winter',
      'lastname: Winter\n    colour: red',
      /^8:5 colour is not a known field here/,
    ],
    [
      'a misspelled field',
      'firstname:',
      'fristname:',
      /^6:5 fristname is not a known field here; did you mean firstname\?/,
    ],
    [
      'a misspelled section',
      'services:',
      'servces:',
      /^20:1 servces is not a known field here; did you mean services\?/,
    ],
    ['text instead of a section', good, 'provider', /^1:1 the file must have names and values, such as `name: value`$/],
    [
      'text instead of an entry',
      '  - { id: 10',
      '  - web1\n  - { id: 10',
      /^21:5 entry 1 of services must have names and values/,
    ],
    ['text instead of a list', 'services:', 'taxes: 21%\nservices:', /^20:1 taxes must be a list/],
    [
      'a misspelled reference to a secret',
      'services:',
      'servers: [{ name: s1, bmc: { driver: ipmi, settings: { address: 192.0.2.1, username: a, password: { evn: A } } } }]\nservices:',
      /^20:89 password must be text, or { env: NAME }, /,
    ],
    ['a missing field', '    lastname: Winter\n', '', /^5:5 lastname is missing$/],
    ['text instead of a number', 'id: 1\n', 'id: one\n', /^5:5 id must be a whole number/],
    [
      'an amount without quotes',
      "amount: '10.00'",
      'amount: 10.00',
      /^19:\d+ amount must be .* 12\.50; put it in quotes$/,
    ],
    ['an amount that is none', "amount: '10.00'", "amount: 'ten'", /^19:\d+ amount must be .*, such as 12\.50$/],
    ['an invalid currency', 'code: EUR', 'code: euro', /^3:15 code must be a currency code/],
    ['an invalid address', 'ip: 192.0.2.1', 'ip: 192.0.2', /^21:\d+ ip must be an IPv4 or IPv6 address/],
    ['an invalid date', 'date: 2026-01-31', 'date: 31.1.2026', /^17:11 date must be a day/],
    ['a due date before the invoice date', 'due: 2026-02-14', 'due: 2026-01-30', /^18:11 due must not be before date$/],
    ['a service of an unknown customer', 'customer: 1', 'customer: 2', /^21:\d+ unknown customer 2;/],
    ['a virtual machine without vmid', ', vmid: 5', '', /^21:5 a vps service needs vmid$/],
    ['a dedicated service without a server', 'type: vps', 'type: dedicated', /^21:5 a dedicated service needs server$/],
    ['a duplicate field', 'country: FR', 'country: FR\n    country: FR', /^14:5 country appears twice; merge the two$/],
    ['a YAML syntax error', 'customers:', 'customers: [', /^\d+:\d+ /],
    ['an undefined alias', "postcode: '69003'", 'postcode: *nowhere', /^12:\d+ .*nowhere/],
  ];
  for (const [name, from, to, pattern] of wrong) {
    it(`with ${name} is rejected at its position`, () => {
      assert.ok(good.includes(from));
      const problems = siteProblems(good.replace(from, to));
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
      siteProblems(text).map((pattern) => pattern.split(' ')[1]),
      ['code', 'country', 'vmid'],
    );
  });

  it('that is empty or not a mapping is rejected with a position', () => {
    for (const text of ['', 'text', '- 1', '1', 'null', '{}']) assert.match(siteProblems(text)[0] ?? '', /^1:1 /, text);
  });

  it('with an alias bomb is rejected', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const name of 'bcdefghi') {
      const previousName = String.fromCharCode(name.charCodeAt(0) - 1);
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${previousName}`).join(', ')}]`);
    }
    assert.match(siteProblems(bomb.join('\n'))[0] ?? '', /^\d+:\d+ /);
  });
});
