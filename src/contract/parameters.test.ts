import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import * as p from './parameters.ts';
import { TimeToLive } from './record-parameters.ts';

const label63 = 'a'.repeat(63);
const cases: [string, TSchema, { accepts: unknown[]; rejects: unknown[] }][] = [
  [
    'a domain name',
    p.DomainName,
    {
      accepts: ['example.com', 'a-b.example.museum', 'example.com.', `${label63}.com`, 'a.xn--p1ai'],
      rejects: [
        'com',
        '-a.com',
        'a-.com',
        'a..com',
        'a_b.com',
        'example.c',
        'example.c0m',
        '.com',
        `a${label63}.com`,
        'a.xn--',
        'a.xn--a-',
      ],
    },
  ],
  [
    'a record name',
    p.RecordName,
    {
      accepts: [
        'example.com',
        '*.example.com',
        '_sip._tcp.example.com',
        'a_b.example.com.',
        'a.*.com',
        'a.xn--p1ai',
        'a-*.1',
      ],
      rejects: ['@', '*', 'www', '-a.example.com', 'a-.example.com', 'a..com', `_${label63}.example.com`, ''],
    },
  ],
  [
    'a record name inside its zone',
    p.ZoneRecordName,
    {
      accepts: ['@', '*', 'www', '*.dev', '_dmarc', 'www.example.com', 'www.example.com.', '10', 'a_b', 'www.*'],
      rejects: ['', '.', '@.com', 'a..b', '-www', 'a b'],
    },
  ],
  ['a reverse name of the legacy API', p.ReverseName, { accepts: ['a_b.example.com'], rejects: ['a b', 'a/b', ''] }],
  [
    'a server name',
    p.ServerName,
    {
      accepts: ['web01', 'ams1-r12-srv034', 'AMS1_R12.b', '4u-7', '1-2.a', 'dc01r01ds01', 'x', 'a'.repeat(64)],
      rejects: ['', '12', '10.0.0.1', '-a', 'a-', '.a', 'a.', 'a b', 'a/b', 'a#b', 'a%2f', 'sérver', 'a'.repeat(65)],
    },
  ],
  [
    'a server name of the legacy API',
    p.LegacyServerName,
    {
      accepts: ['dc01r01ds01', 'DC01R01DS01', 'dc01r01ds01-01'],
      rejects: ['web01', 'dc1r1ds1', 'dc01r01ds01-', 'dc01r01ds01-1', 'dc01r01ds011', ' dc01r01ds01', 'dc01r01ds01\n'],
    },
  ],
  [
    'an IPMI user name',
    p.BmcUsername,
    { accepts: ['a', 'ops.team_1-x', 'a'.repeat(16)], rejects: ['', '1a', '_a', 'a b', 'a'.repeat(17), 'rööt'] },
  ],
  ['the size of a netblock', p.NetblockSize, { accepts: ['/29', '/64'], rejects: ['29', '/23', '/31', '/32', '/48'] }],
  ['a number of addresses', p.AddressSize, { accepts: ['/32', '/29', '/64'], rejects: ['32', '/31', '/128'] }],
  ['the time to live of a record', TimeToLive, { accepts: [0, 60, 604_800], rejects: [-1, 604_801, 60.5] }],
  [
    'a list of objects',
    p.ObjectList({ ip: p.IpAddress, record: p.DomainName }, { max: 2 }),
    {
      accepts: [[{ ip: '192.0.2.1', record: 'a.example.com' }]],
      rejects: [
        [],
        {},
        [{ ip: '192.0.2.1' }],
        [{ ip: '192.0.2.256', record: 'a.example.com' }],
        [{ ip: '192.0.2.1', record: 'a.example.com', ttl: 60 }],
        Array.from({ length: 3 }, () => ({ ip: '2001:db8::1', record: 'a.example.com' })),
      ],
    },
  ],
];

describe('parameter types', () => {
  for (const [name, schema, { accepts, rejects }] of cases)
    it(`${name} accepts valid values and rejects others`, () => {
      for (const value of accepts) assert.ok(Check(schema, value), `accepts ${JSON.stringify(value)}`);
      for (const value of rejects) assert.ok(!Check(schema, value), `rejects ${JSON.stringify(value)}`);
    });

  it('of a fixed length say it once', () => {
    const reasons = Object.values(p as Record<string, unknown>).flatMap((schema) => {
      const { pattern, 'x-reason': reason } = schema as { pattern?: string; 'x-reason'?: string };
      const isFixed = pattern !== undefined && !/[*+?|]|\{\d+,/.test(pattern);
      return isFixed ? [reason!] : [];
    });
    assert.ok(reasons.includes('must be the 43 characters after the # of the link'));
    assert.deepEqual(
      reasons.filter((reason) => reason.includes('at most')),
      [],
    );
  });
});
