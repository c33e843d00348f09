import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readSite } from './file.ts';
import { importNetbox } from './netbox.ts';

const provider = { name: 'Example Hosting', currency: 'EUR' };
const pages = JSON.parse(
  readFileSync(new URL('../../../test/support/netbox-export.json', import.meta.url), 'utf8'),
) as Record<string, unknown>;
const files = Object.entries(pages).map(([name, page]) => [name, JSON.stringify(page)] as const);

describe('an export of NetBox', () => {
  const { text, skipped } = importNetbox(files, provider);

  it('becomes a site file that is valid once the secrets are set', () => {
    assert.throws(() => readSite(text, 'site.yaml'), /the environment variable BMC_PASSWORD is not set/);
    const secrets = { BMC_USERNAME: 'provider', BMC_PASSWORD: 'one', SNMP_COMMUNITY: 'two' };
    Object.assign(process.env, secrets);
    try {
      const site = readSite(text, 'site.yaml');
      const bmc = (address: string) => ({
        driver: 'ipmi',
        settings: { address, username: 'provider', password: 'one' },
      });
      assert.deepEqual(site, {
        provider: { name: 'Example Hosting', currency: { code: 'EUR' } },
        racks: [{ name: 'R01', height: 47, place: 'Amsterdam 1, Hall 2' }],
        switches: [
          {
            name: 'sw-ams1-01',
            driver: 'snmp',
            settings: { version: '2c', address: '10.0.5.2', community: 'two' },
            rack: 'R01',
            unit: 47,
          },
        ],
        servers: [
          {
            name: 'dc01r01ds01',
            bmc: bmc('10.0.5.11'),
            serial: '7XK20Z1',
            rack: 'R01',
            unit: 10,
            macs: ['52:54:00:aa:00:01'],
            ports: [{ switch: 'sw-ams1-01', ifIndex: 501 }],
          },
          {
            name: 'dc01r01ds02',
            bmc: bmc('10.0.5.12'),
            serial: '7XK20Z2',
            rack: 'R01',
            unit: 12,
            height: 2,
            macs: ['52:54:00:aa:00:02'],
          },
        ],
        netblocks: [{ cidr: '203.0.113.0/24' }, { cidr: '198.51.100.0/24', pool: 'ask' }],
      });
    } finally {
      for (const name of Object.keys(secrets)) delete process.env[name];
    }
  });

  it('reports everything that was skipped', () => {
    assert.deepEqual(skipped, [
      'Amsterdam 1: site files do not support objects of this kind',
      'device pdu-a: its role PDU is neither server nor switch',
      'device backup-nas: it has no out-of-band address for its BMC',
      'device dc01r01ds03: it has no out-of-band address for its BMC',
      'cable #402: sw-ams1-01 ge-0/0/2 has no custom field ifindex',
      'prefix 198.18.0.0/15: its status is container',
      'prefix 203.0.113.0/24: site files do not support VRFs',
      'address 203.0.113.10/24: addresses belong to services, which do not exist in NetBox',
      'address 203.0.113.77/24: addresses belong to services, which do not exist in NetBox',
    ]);
  });

  it('keeps the names of servers, and skips those that a site file cannot have', () => {
    const rename = (given: string, name: string) => given.replaceAll('dc01r01ds01', name);
    const named = (name: string) =>
      importNetbox(
        files.map(([file, page]) => [file, rename(page, name)]),
        provider,
      );
    assert.equal(named('AMS1-r12_srv034').text, rename(text, 'AMS1-r12_srv034'));
    for (const [name, reason] of [
      ['Rack 12, third', 'its name must'],
      ['vm-12', 'its name is reserved'],
    ] as const) {
      const result = named(name);
      assert.ok(!result.text.includes(`name: ${name}`), result.text);
      assert.ok(
        result.skipped.some((line) => line.startsWith(`device ${name}: ${reason}`)),
        result.skipped.join('\n'),
      );
    }
  });

  it('may be lists whose objects have no URL, or several lists in one file', () => {
    const lists = Object.fromEntries(
      Object.entries(pages).map(([name, page]) => {
        const list = (Array.isArray(page) ? page : (page as { results: unknown[] }).results) as { url?: string }[];
        return [name, list.map((object) => ({ ...object, url: undefined }))];
      }),
    );
    assert.equal(importNetbox([['all.json', JSON.stringify(lists)]], provider).text, text);
  });

  describe('with several pages', () => {
    type Entry = readonly [name: string, text: string];
    const others = files.filter(([name]) => name !== 'devices.json');
    const { results: devices } = pages['devices.json'] as { results: object[] };
    const link = (offset: number) => `https://netbox.example.net/api/dcim/devices/?limit=3&offset=${offset}`;
    const page = (from: number, links: object): Entry => [
      `devices-${from}.json`,
      JSON.stringify({ count: 6, next: null, previous: null, ...links, results: devices.slice(from, from + 3) }),
    ];
    const first = page(0, { next: link(3) });
    const last = page(3, { previous: 'https://netbox.example.net/api/dcim/devices/?limit=3' });

    it('is complete if all are given', () => {
      assert.equal(importNetbox([...others, first, last], provider).text, text);
    });

    it('is rejected if one is missing or was cut', () => {
      const incomplete = [
        [[first], /devices-0\.json: 3 of 6 objects of \/api\/dcim\/devices\/ are here/],
        [[last], /devices-3\.json: 3 of 6 objects/],
        [[page(0, {})], /devices-0\.json: 3 of 6 objects of its list are here/],
        [[page(0, { next: link(3), count: null })], /devices-0\.json: the page after it is missing/],
      ] as const;
      for (const [given, message] of incomplete)
        assert.throws(() => importNetbox([...others, ...given], provider), message);
    });

    it('may be pages within one file', () => {
      assert.equal(importNetbox([['all.json', JSON.stringify(pages)]], provider).text, text);
    });
  });

  it("that is malformed is rejected with the file's name", () => {
    assert.throws(() => importNetbox([['a.json', '{']], provider), /a\.json is not valid JSON/);
    assert.throws(
      () => importNetbox([['a.json', '[1, 2]']], provider),
      /a\.json contains something other than NetBox objects/,
    );
    assert.throws(
      () => importNetbox([['a.json', '[{ "id": 1 }, { "name": "x" }]']], provider),
      /a\.json contains something other than NetBox objects/,
    );
    assert.throws(() => importNetbox([['a.json', '{ "detail": "Invalid token" }']], provider), /a\.json has no list/);
  });
});
