import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { findClientAddress } from './client-address.ts';

const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as never;

describe("the caller's address", () => {
  it('is that of the connection, whatever the caller says', () => {
    assert.equal(findClientAddress(from('198.51.100.7', '203.0.113.1'), []), '198.51.100.7');
    assert.equal(findClientAddress(from('198.51.100.7', '203.0.113.1'), ['192.0.2.0/24']), '198.51.100.7');
  });

  it('is the last one that is not a trusted proxy, if a trusted proxy reports it', () => {
    const proxies = ['192.0.2.0/24', '2001:db8::/32'];
    assert.equal(findClientAddress(from('192.0.2.1', '203.0.113.1'), proxies), '203.0.113.1');
    assert.equal(findClientAddress(from('192.0.2.1', '203.0.113.1, 2001:db8::9, 192.0.2.8'), proxies), '203.0.113.1');
    assert.equal(findClientAddress(from('192.0.2.1', '10.0.0.1 ,203.0.113.1'), proxies), '203.0.113.1');
    assert.equal(findClientAddress(from('::ffff:192.0.2.1', '203.0.113.1'), proxies), '203.0.113.1');
  });

  it('is that of the proxy if it reports none', () => {
    assert.equal(findClientAddress(from('192.0.2.1'), ['192.0.2.1']), '192.0.2.1');
    assert.equal(findClientAddress(from('192.0.2.1', ' , '), ['192.0.2.1']), '192.0.2.1');
  });
});
