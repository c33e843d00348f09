// Which servers a few words find.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from '#sdk/v2.ts';
import { matching } from './find.ts';

const alike = { status: 'Active', ip: '203.0.113.10' } as const;
const web: Device = {
  ...alike,
  service: '1001',
  name: 'Dedicated E3',
  hostname: 'web1.example.net',
  type: 'dedicated',
  server: 'dc01r01ds01',
};
const small: Device = {
  ...alike,
  service: '2001',
  name: 'VPS small',
  hostname: 'vps1.example.net',
  type: 'vps',
  vmid: '7',
};
const found = (text: string, type: 'all' | Device['type'] = 'all'): string[] =>
  matching([web, small], text, type).map(({ service }) => service);

test('a server is found by its name, its address, its number and where it stands', () => {
  for (const text of ['WEB1', 'e3', '1001', 'r01ds']) assert.deepEqual(found(text), ['1001'], text);
  assert.deepEqual(found('203.0'), ['1001', '2001']);
});

test('every word must fit, and the type', () => {
  assert.deepEqual(found('example vps'), ['2001']);
  assert.deepEqual(found('web1 vps'), []);
  assert.deepEqual(found('', 'vps'), ['2001']);
  assert.deepEqual(found('  '), ['1001', '2001']);
});
