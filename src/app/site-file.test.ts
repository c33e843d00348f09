import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSite, SiteError } from './site-file.ts';

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
