// kill -9 in the middle of a reboot: a server that was powered off is powered on again by the successor.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { request, requestResult } from '#test/support/request.ts';
import { startServer } from '#test/support/server.ts';
import { engines } from '#test/support/app.ts';
import { until } from '#test/support/until.ts';

describe('a reboot whose process is killed between off and on', { concurrency: true }, () => {
  for (const { engine, suite, start } of engines) {
    it(`on ${engine} ends with the server on, and lets the next command run`, suite, async () => {
      await using running = await start();
      await using server = await startServer(await running.newDatabase());
      const { customer, dedicated } = server.lab;
      const { key } = customer;
      const power = async () => {
        const path = `/v2/device/power/${dedicated.service}`;
        return requestResult<unknown>(server, 'GET', path, { key });
      };
      assert.equal(await power(), 'on');
      const form = { server: dedicated.server, action: 'reboot' };
      const cut = assert.rejects(request(server, 'POST', '/ipmi/power', { key, form }));
      await until(async () => (await power()) === 'off', { saw: power, pollMs: 20 });
      await server.kill('SIGKILL');
      await cut;
      await server.restart();
      await until(async () => (await power()) === 'on', { saw: power });
      // The reboot's lock ends with it.
      await until(async () => {
        const params = { service: dedicated.service, action: 'off' };
        const { status } = await request(server, 'POST', '/v2/device/power', { key, params });
        assert.ok(status === 200 || status === 409, String(status));
        return status === 200;
      });
      assert.equal(await power(), 'off');
    });
  }
});
