import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { request } from './request.ts';
import { startServer } from './server.ts';

describe('a Hostyard server in a test', () => {
  test('is ready when it is returned, and removed with its data once disposed of', async () => {
    const server = await startServer();
    assert.equal((await request(server, 'GET', '/readyz')).status, 200);
    await server[Symbol.asyncDispose]();
    assert.equal(existsSync(server.data), false);
    await assert.rejects(request(server, 'GET', '/readyz'));
  });

  test('comes back at the same address with the same lab, after a kill as after a stop', async () => {
    await using server = await startServer();
    const { url, lab, process } = server;
    assert.equal(await server.kill('SIGKILL'), null);
    await server.restart();
    await server.restart();
    assert.notEqual(server.process.pid, process.pid);
    assert.equal(server.url, url);
    // The lab's VNC port is ephemeral: the system may give it to another program between two starts.
    assert.deepEqual({ ...server.lab, screens: undefined }, { ...lab, screens: undefined });
    assert.equal((await request(server, 'GET', '/readyz')).status, 200);
  });

  test('that cannot start reports what it printed', async () => {
    await assert.rejects(startServer({ env: { HOSTYARD_LISTEN: 'nonsense' } }), /ended before it was ready:\n.*\S/);
  });
});
