// The API and ipmitool on one BMC, each checking the other: on the lab's, and on ipmi_sim behind a site file.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openIpmiSession } from '#test/support/ipmi-session.ts';
import { startIpmiSim } from '#test/support/ipmi-sim.ts';
import { ipmitool, type ControllerAccess } from '#test/support/ipmitool.ts';
import { needs } from '#test/support/needs.ts';
import { singleServerSite } from '#test/support/single-server-site.ts';
import { request, requestResult } from '#test/support/request.ts';
import { startServer, startSite } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { withResources } from '#test/support/resources.ts';

interface Installation extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly service: string;
  readonly server: string;
  readonly bmc: ControllerAccess;
}

async function onLab(): Promise<Installation> {
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

async function onIpmiSim(): Promise<Installation> {
  await using owned = new AsyncDisposableStack();
  const { address, port, username, password } = owned.use(await startIpmiSim());
  const bmc = { address, port, username, password };
  const { site, env, key, service, server } = singleServerSite(bmc);
  const { url } = owned.use(await startSite(site, env));
  return withResources(owned, { url, key, service, server, bmc });
}

const places = [
  ["the lab's BMC", ['ipmitool'], onLab],
  ['ipmi_sim', ['ipmi_sim', 'ipmitool'], onIpmiSim],
] as const;

// In parallel, because each waits up to a minute for the power sync.
describe('the API and ipmitool', { concurrency: true }, () => {
  for (const [title, programs, start] of places) {
    it(`on ${title} see what the other did: power, next boot and users`, needs(...programs), async () => {
      await using installation = await start();
      const { key, service, server, bmc } = installation;
      const v2 = async (method: string, params: Record<string, string> = {}) => {
        const path = method === 'GET' ? `/v2/device/power/${service}` : '/v2/device/power';
        const all = method === 'GET' ? {} : { service, ...params };
        return requestResult<unknown>(installation, method, path, { key, params: all });
      };
      const legacy = <Result>(path: string, form: Record<string, string>) =>
        requestResult<Result>(installation, 'POST', path, { key, form: { server, ...form } });

      // ipmitool sees what the API did.
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
      const customerAccess = { ...bmc, username: user.username, password: user.password };
      assert.equal(await ipmitool(customerAccess, '-L operator chassis power status'), 'Chassis Power is on');
      const { value } = await legacy<{ value: string }>('/ipmi/user', { username: 'anna', action: 'resetPassword' });
      // Not with ipmitool: it does not cancel a failed login, which ipmi_sim counts as a session that it cannot end.
      await using formerLogin = await openIpmiSession(customerAccess);
      assert.equal(await formerLogin.works(), false);
      await ipmitool({ ...customerAccess, password: value }, '-L operator chassis power status');
      await legacy('/ipmi/user', { username: 'anna', action: 'deleteUser' });
      assert.doesNotMatch(await ipmitool(bmc, 'user list 1'), /anna/);

      // The API sees what ipmitool did: at once when asked, and in its events without being asked.
      await ipmitool(bmc, 'chassis power off');
      assert.equal(await v2('GET'), 'off');
      assert.equal(await legacy('/ipmi/power', { action: 'checkOff' }), 'true');
      await ipmitool(bmc, 'chassis power on');
      assert.equal(await legacy('/ipmi/power', { action: 'checkOn' }), 'true');
      await ipmitool(bmc, 'user set name 6 berta');
      const duplicate = await request(installation, 'POST', '/ipmi/user', {
        key,
        form: { server, username: 'berta', action: 'createUser' },
      });
      assert.equal(duplicate.status, 409);
      await ipmitool(bmc, 'chassis power off');
      await waitForSync(installation, 'off');
    });
  }

  it(
    'agree on who can log in: a BMC user works until the service is suspended, and again once it is resumed',
    {
      ...needs('ipmitool'),
    },
    async () => {
      await using server = await startServer();
      const { service, server: name, bmc } = server.lab.dedicated;
      const asOperator = (path: string, params: Record<string, string> = {}) =>
        requestResult(server, 'POST', `/operator/${path}`, {
          key: server.lab.operator.key,
          params: { id: service, ...params },
        });
      const login = await requestResult<{ username: string; password: string }>(server, 'POST', '/ipmi/user', {
        key: server.lab.customer.key,
        form: { server: name, username: 'anna', action: 'createUser' },
      });
      const canLogIn = () =>
        ipmitool({ ...bmc, username: login.username, password: login.password }, '-L operator chassis status').then(
          () => true,
          () => false,
        );
      assert.equal(await canLogIn(), true);
      await asOperator('service/suspend', { reason: 'Abuse' });
      await until(async () => !(await canLogIn()));
      await until(() =>
        asOperator('service/resume').then(
          () => true,
          () => false,
        ),
      );
      await until(canLogIn);
    },
  );
});

/** Waits for the power sync, which notices within a minute. */
async function waitForSync(installation: Installation, state: string): Promise<void> {
  const lastChange = async (): Promise<object | undefined> => {
    const events = await listEvents(installation, installation.key);
    return events.findLast(({ type }) => type === 'device.power.changed')?.data;
  };
  await until(async () => isDeepStrictEqual(await lastChange(), { state, source: 'sync' }), { saw: lastChange });
}
