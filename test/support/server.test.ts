import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { request } from './request.ts';
import { startServer } from './server.ts';

describe('a Hostyard server in a test', () => {
  test('is ready when it is returned, comes back with the same lab, and is removed with its data', async () => {
    await using server = await startServer();
    const { url, lab, process } = server;
    assert.equal((await request(server, 'GET', '/readyz')).status, 200);
    assert.equal(await server.kill('SIGKILL'), null);
    await server.restart();
    assert.notEqual(server.process.pid, process.pid);
    assert.equal(server.url, url);
    // The lab's VNC port is ephemeral: the system may give it to another program between two starts.
    assert.deepEqual({ ...server.lab, screens: undefined }, { ...lab, screens: undefined });
    assert.equal((await request(server, 'GET', '/readyz')).status, 200);
    await server[Symbol.asyncDispose]();
    assert.equal(existsSync(server.data), false);
    await assert.rejects(request(server, 'GET', '/readyz'));
  });

  test('that cannot start reports what it printed', async () => {
    await assert.rejects(startServer({ env: { HOSTYARD_LISTEN: 'nonsense' } }), /ended before it was ready:\n.*\S/);
  });
});
