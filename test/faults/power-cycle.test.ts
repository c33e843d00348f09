// kill -9 in the middle of a reboot: a server that was powered off is powered on again by the successor.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startLabBmc } from '#lab/bmc/bmc.ts';
import { enginesOfSlowSuites } from '#test/support/engine-suite.ts';
import { request } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { singleServerSite } from '#test/support/single-server-site.ts';
import { until } from '#test/support/until.ts';

describe('a reboot whose process is killed between off and on', { concurrency: true }, () => {
  for (const { engine, suite, start } of enginesOfSlowSuites) {
    it(`on ${engine} ends with the server on, and lets the next command run`, suite, async () => {
      await using running = await start();
      const { database } = await running.newDatabase();
      const admin = { username: 'provider', password: 'secret-enough' };
      await using bmc = await startLabBmc({ admin, timing: { bootMs: 1, cycleOffMs: 1, softOffMs: 1 } });
      const { chassis } = bmc;
      chassis.turnOn();
      const { site, env, key, service } = singleServerSite({ address: bmc.address, port: bmc.port, ...admin });
      await using server = await startSite(site, {
        ...env,
        ...(database === undefined ? {} : { HOSTYARD_DATABASE: database }),
      });
      // Leaves time for the kill between the two commands.
      bmc.setMalfunctions({ responseDelayMs: 500 });
      const form = { server: site.servers![0]!.name, action: 'reboot' };
      const cut = assert.rejects(request(server, 'POST', '/ipmi/power', { key, form }));
      await until(() => chassis.power === 'off', { pollMs: 20 });
      await server.kill('SIGKILL');
      await cut;
      assert.equal(chassis.power, 'off');
      bmc.setMalfunctions({});
      await server.start();
      await until(() => chassis.power === 'on');
      // The reboot's lock ends with it.
      await until(async () => {
        const params = { service, action: 'off' };
        const { status } = await request(server, 'POST', '/v2/device/power', { key, params });
        assert.ok(status === 200 || status === 409, String(status));
        return status === 200;
      });
      assert.equal(chassis.power, 'off');
    });
  }
});
