// The API and ipmitool on one controller, each the other's witness: on the lab's, and on ipmi_sim behind a site file.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startIpmiSim } from '#test/support/ipmi-sim.ts';
import { ipmitool, type ControllerAccess } from '#test/support/ipmitool.ts';
import { needs } from '#test/support/needs.ts';
import { oneServerSite } from '#test/support/one-server-site.ts';
import { request } from '#test/support/request.ts';
import { startServer, startSite } from '#test/support/server.ts';

interface Place extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly service: string;
  readonly server: string;
  readonly bmc: ControllerAccess;
}

async function onLab(): Promise<Place> {
  const server = await startServer();
  const { service, server: name, bmc } = server.lab.dedicated;
  return {
    url: server.url,
    key: server.lab.customer.key,
    service,
    server: name,
    bmc,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function onIpmiSim(): Promise<Place> {
  await using owned = new AsyncDisposableStack();
  const { address, port, username, password } = owned.use(await startIpmiSim());
  const bmc = { address, port, username, password };
  const { site, env, key, service, server } = oneServerSite(bmc);
  const { url } = owned.use(await startSite(site, env));
  const kept = owned.move();
  return { url, key, service, server, bmc, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const places = [
  ["the lab's controller", ['ipmitool'], onLab],
  ['ipmi_sim', ['ipmi_sim', 'ipmitool'], onIpmiSim],
] as const;

// Together: each waits up to a minute for the power sync.
describe('the API and ipmitool', { concurrency: true }, () => {
  for (const [title, programs, start] of places) {
    it(`see on ${title} what the other did: power, next boot and users`, needs(...programs), async () => {
      await using place = await start();
      const { key, service, server, bmc } = place;
      const v2 = async (method: string, params: Record<string, string> = {}) => {
        const path = method === 'GET' ? `/v2/device/power/${service}` : '/v2/device/power';
        const all = method === 'GET' ? {} : { service, ...params };
        const { status, body } = await request<{ result: unknown }>(place, method, path, { key, params: all });
        assert.equal(status, 200, JSON.stringify(body));
        return body.result;
      };
      const legacy = async <Result>(path: string, form: Record<string, string>) => {
        const { status, body } = await request<{ result: Result }>(place, 'POST', path, {
          key,
          form: { server, ...form },
        });
        assert.equal(status, 200, JSON.stringify(body));
        return body.result;
      };

      // What the API did, ipmitool sees.
      for (const [action, word] of [
        ['on', 'on'],
        ['off', 'off'],
        ['cycle', 'on'],
        ['reboot', 'on'],
      ] as const) {
        await v2('POST', { action });
        assert.equal(await ipmitool(bmc, 'chassis power status'), `Chassis Power is ${word}`);
      }
      for (const [target, words] of [
        ['cdrom', /CD\/DVD/],
        ['bios', /BIOS/],
        ['pxe', /PXE/],
      ] as const) {
        await v2('PUT', { request: target });
        assert.match(await ipmitool(bmc, 'chassis bootparam get 5'), words);
      }
      const user = await legacy<{ username: string; password: string }>('/ipmi/user', {
        username: 'anna',
        action: 'createUser',
      });
      assert.match(await ipmitool(bmc, 'user list 1'), /anna +.*OPERATOR/);
      const theirs = { ...bmc, username: user.username, password: user.password };
      assert.equal(await ipmitool(theirs, '-L operator chassis power status'), 'Chassis Power is on');
      const { value } = await legacy<{ value: string }>('/ipmi/user', { username: 'anna', action: 'resetPassword' });
      await assert.rejects(ipmitool(theirs, '-L operator chassis power status'));
      await ipmitool({ ...theirs, password: value }, '-L operator chassis power status');
      await legacy('/ipmi/user', { username: 'anna', action: 'deleteUser' });
      assert.doesNotMatch(await ipmitool(bmc, 'user list 1'), /anna/);

      // What ipmitool did, the API sees: at once where it is asked, and in its events without being asked.
      await ipmitool(bmc, 'chassis power off');
      assert.equal(await v2('GET'), 'off');
      assert.equal(await legacy('/ipmi/power', { action: 'checkOff' }), 'true');
      await ipmitool(bmc, 'chassis power on');
      assert.equal(await legacy('/ipmi/power', { action: 'checkOn' }), 'true');
      await ipmitool(bmc, 'user set name 6 berta');
      const taken = await request(place, 'POST', '/ipmi/user', {
        key,
        form: { server, username: 'berta', action: 'createUser' },
      });
      assert.equal(taken.status, 409);
      await ipmitool(bmc, 'chassis power off');
      await drift(place, 'off');
    });
  }
});

/** Nobody asks: the power sync looks by itself, within a minute. */
async function drift(place: Place, state: string): Promise<void> {
  for (;;) {
    const { body } = await request<{ result: { events: { type: string; data: object }[] } }>(
      place,
      'GET',
      '/v2/event',
      {
        key: place.key,
      },
    );
    const last = body.result.events.findLast(({ type }) => type === 'device.power.changed');
    if (JSON.stringify(last?.data) === JSON.stringify({ state, source: 'sync' })) return;
    await sleep(250);
  }
}
