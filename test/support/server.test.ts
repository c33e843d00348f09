import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { request } from './request.ts';
import { startServer } from './server.ts';

describe('the Hostyard of a test', () => {
  test('is ready when it is given, and gone with its data once disposed of', async () => {
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
    assert.deepEqual(server.lab, lab);
    assert.equal((await request(server, 'GET', '/readyz')).status, 200);
  });

  test('that cannot start says what it printed', async () => {
    await assert.rejects(startServer({ env: { HOSTYARD_LISTEN: 'nonsense' } }), /ended before it was ready:\n.*\S/);
  });
});
