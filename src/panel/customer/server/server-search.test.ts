import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from '#sdk/v2.ts';
import { filterQuery, parseFilter, searchServers, sortServers, type ServerColumn } from './server-search.ts';

const common = { status: 'Active', ip: '203.0.113.10', labels: '' } as const;
const web: Device = {
  ...common,
  service: '1001',
  name: 'Dedicated E3',
  hostname: 'web1.example.net',
  type: 'dedicated',
  labels: 'prod,web',
  server: 'ams1-srv034',
  alias: 'dc00r00ds00-01',
};
const small: Device = {
  ...common,
  service: '2001',
  name: 'VPS small',
  hostname: 'vps1.example.net',
  type: 'vps',
  vmid: '7',
};
const search = (text: string, type: 'all' | Device['type'] = 'all', labels: string[] = []): string[] =>
  searchServers([web, small], { text, type, labels }).map(({ service }) => service);

test('a server is found by hostname, IP address, service ID, or name of the server, also in the legacy API', () => {
  for (const text of ['WEB1', 'e3', '1001', 'ams1-srv', 'r00ds']) assert.deepEqual(search(text), ['1001'], text);
  assert.deepEqual(search('203.0'), ['1001', '2001']);
});

test('every word must match, and so must the type', () => {
  assert.deepEqual(search('example vps'), ['2001']);
  assert.deepEqual(search('web1 vps'), []);
  assert.deepEqual(search('', 'vps'), ['2001']);
  assert.deepEqual(search('  '), ['1001', '2001']);
});

test('servers are found by their labels, and must have all that are chosen', () => {
  assert.deepEqual(search('prod'), ['1001']);
  assert.deepEqual(search('', 'all', ['prod', 'web']), ['1001']);
  assert.deepEqual(search('', 'all', ['prod', 'db']), []);
});

test('a filter is the same after it was written to an address and read again', () => {
  const filter = { text: 'web & db', type: 'vps', labels: ['a=b', 'prod'] } as const;
  assert.deepEqual(parseFilter(filterQuery(filter)), filter);
  assert.deepEqual(parseFilter('type=mainframe&x=1'), { text: '', type: 'all', labels: [] });
  assert.equal(filterQuery(parseFilter('')), '');
});

test('servers are sorted with numbers in their order, in both directions', () => {
  const named = (hostname: string, ip: string): Device => ({ ...web, hostname, ip });
  const servers = [named('web10', '203.0.113.9'), named('', '203.0.113.80'), named('Web2', '203.0.113.10')];
  const order = (by: ServerColumn, direction: 'ascending' | 'descending'): string[] =>
    sortServers(servers, { by, direction }).map(({ ip }) => ip.slice('203.0.113.'.length));
  // The one without a hostname is listed by its name, Dedicated E3.
  assert.deepEqual(order('server', 'ascending'), ['80', '10', '9']);
  assert.deepEqual(order('ip', 'ascending'), ['9', '10', '80']);
  assert.deepEqual(order('ip', 'descending'), ['80', '10', '9']);
  assert.deepEqual(order('type', 'descending'), ['9', '80', '10'], 'equal servers keep their order');
});
