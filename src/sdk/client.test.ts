// What the SDK says about a connection that failed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { HostyardError } from './error.ts';
import { createClient } from './v2.ts';

test('an https address of a server without TLS is reported as such', async () => {
  await using server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ url, key: 'hy_none', retry: { attempts: 1 } });
  await assert.rejects(client.accountGet(), (error) => {
    assert.ok(error instanceof HostyardError);
    assert.equal(error.message, `The connection to ${url} failed: the server speaks plain HTTP there, without TLS.`);
    return true;
  });
});
