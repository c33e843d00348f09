// kill -9 in the middle of a reboot: a server that was switched off is switched on again, by whoever comes after.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '#test/support/request.ts';
import { startServer } from '#test/support/server.ts';
import { engines } from '#test/support/yard.ts';

describe('a reboot whose process is shot between off and on', { concurrency: true }, () => {
  for (const { engine, suite, start } of engines) {
    it(`on ${engine} ends with the server on, and lets the next command run`, suite, async () => {
      await using running = await start();
      await using server = await startServer(await running.newDatabase());
      const { customer, dedicated } = server.lab;
      const { key } = customer;
      const power = async () => {
        const path = `/v2/device/power/${dedicated.service}`;
        return (await request<{ result: unknown }>(server, 'GET', path, { key })).body.result;
      };
      assert.equal(await power(), 'on');
      const form = { server: dedicated.server, action: 'reboot' };
      const cut = assert.rejects(request(server, 'POST', '/ipmi/power', { key, form }));
      while ((await power()) !== 'off') await sleep(20);
      await server.kill('SIGKILL');
      await cut;
      await server.restart();
      while ((await power()) !== 'on') await sleep(100);
      // The lock of the reboot goes with it.
      for (;;) {
        const params = { service: dedicated.service, action: 'off' };
        const { status } = await request(server, 'POST', '/v2/device/power', { key, params });
        if (status === 200) break;
        assert.equal(status, 409);
      }
      assert.equal(await power(), 'off');
    });
  }
});
