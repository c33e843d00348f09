import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proxyHeaderReader } from './proxy-headers.ts';

test('headers of a proxy are read only if a trusted proxy forwarded the request', () => {
  const headers = { 'cf-ipcountry': 'FR' };
  assert.equal(proxyHeaderReader({ headers, ips: ['10.0.0.1', '203.0.113.5'] })?.('CF-IPCountry'), 'FR');
  assert.equal(proxyHeaderReader({ headers, ips: ['203.0.113.5'] }), undefined);
  assert.equal(proxyHeaderReader({ headers } as never), undefined);
});
