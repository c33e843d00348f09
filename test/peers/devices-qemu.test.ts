// A real machine behind the API: it runs when powered on, boots from the network on request, and is gone when powered
// off.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needs } from '#test/support/needs.ts';
import { singleServerSite } from '#test/support/single-server-site.ts';
import { networkGreeting, startQemuServer } from '#test/support/qemu-server.ts';
import { requestResult } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';

describe('a QEMU with ipmi_sim as its BMC', needs('ipmi_sim', 'qemu-system-x86_64', 'setsid', 'timeout'), () => {
  it('is started, booted from the network and ended through the API', async () => {
    await using machine = await startQemuServer();
    const { site, env, key, service } = singleServerSite(machine.controller);
    await using hostyard = await startSite(site, env);
    const call = (method: string, params: Record<string, string>) =>
      requestResult<string>(hostyard, method, '/v2/device/power', { key, params: { service, ...params } });
    assert.equal(await machine.process(), undefined);
    assert.equal(await call('PUT', { request: 'pxe' }), 'Set Boot Device to pxe');
    assert.equal(await machine.process(), undefined, 'choosing a boot device does not boot');
    assert.equal(await call('POST', { action: 'on' }), 'Chassis Power Control: Up/On');
    assert.ok(await machine.process());
    await until(async () => (await machine.printed()).includes(networkGreeting), { saw: machine.printed });
    assert.equal(await machine.controller.nextBoot(), 'none', 'the choice was for one boot');
    const result = await requestResult<string>(hostyard, 'GET', `/v2/device/power/${service}`, { key });
    assert.equal(result, 'on');
    assert.equal(await call('POST', { action: 'off' }), 'Chassis Power Control: Down/Off');
    assert.equal(await machine.process(), undefined);
  });
});
