import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import * as p from './parameters.ts';

const label63 = 'a'.repeat(63);
const cases: [string, TSchema, { takes: unknown[]; refuses: unknown[] }][] = [
  [
    'a domain name',
    p.DomainName,
    {
      takes: ['example.com', 'a-b.example.museum', 'example.com.', `${label63}.com`],
      refuses: ['com', '-a.com', 'a-.com', 'a..com', 'a_b.com', 'example.c', 'example.c0m', '.com', `a${label63}.com`],
    },
  ],
  [
    'a record name',
    p.RecordName,
    {
      takes: ['example.com', '*.example.com', '_sip._tcp.example.com', '_dmarc.example.com', 'example.com.'],
      refuses: ['@', '*', 'www', 'a.*.com', '_.example.com', 'a_b.example.com', `_${label63}.example.com`, ''],
    },
  ],
  [
    'a record name inside its zone',
    p.ZoneRecordName,
    {
      takes: ['@', '*', 'www', '*.dev', '_dmarc', 'www.example.com', 'www.example.com.', '10'],
      refuses: ['', '.', '@.com', 'a..b', 'www.*', '-www', 'a b'],
    },
  ],
  ['a reverse name of the legacy API', p.ReverseName, { takes: ['a_b.example.com'], refuses: ['a b', 'a/b', ''] }],
  [
    'an IPMI user name',
    p.BmcUsername,
    { takes: ['a', 'ops.team_1-x', 'a'.repeat(16)], refuses: ['', '1a', '_a', 'a b', 'a'.repeat(17), 'rööt'] },
  ],
  ['the size of a netblock', p.NetblockSize, { takes: ['/29', '/64'], refuses: ['29', '/23', '/31', '/48'] }],
  ['the time to live of a record', p.TimeToLive, { takes: [60, 604_800], refuses: [59, 604_801, 60.5] }],
  [
    'a list of objects',
    p.ObjectList({ ip: p.IpAddress, record: p.DomainName }, { max: 2 }),
    {
      takes: [[{ ip: '192.0.2.1', record: 'a.example.com' }]],
      refuses: [
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
  for (const [name, schema, { takes, refuses }] of cases)
    it(`${name} accepts valid values and rejects others`, () => {
      for (const value of takes) assert.ok(Check(schema, value), `takes ${JSON.stringify(value)}`);
      for (const value of refuses) assert.ok(!Check(schema, value), `refuses ${JSON.stringify(value)}`);
    });
});
