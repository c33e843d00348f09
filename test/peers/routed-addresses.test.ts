// Addresses that are routed to a server, through real routers in network namespaces: packets arrive once the addresses
// are assigned, and no longer once they are released.
import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { describeRouteDriver } from '#drivers/routes/conformance.ts';
import { frrRouteDriver } from '#drivers/routes/frr/driver.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { assertResult } from '#test/support/devices.ts';
import { needsRoot } from '#test/support/needs.ts';
import { networkCalls } from '#test/support/network.ts';
import { runNetworkReconcilers } from '#test/support/network-reconcilers.ts';
import { operatorResult } from '#test/support/operators.ts';
import { withResources } from '#test/support/resources.ts';
import { startRoutedNetwork, type RoutedNetwork } from '#test/support/routed-network.ts';
import { until } from '#test/support/until.ts';

const foreign = '198.51.101.0/24';
const programs = needsRoot('ip', 'gobgpd', 'zebra', 'staticd', 'bgpd', 'vtysh', 'busybox');

describeRouteDriver('routes by FRR', programs, async () => {
  await using owned = new AsyncDisposableStack();
  const network = owned.use(await startRoutedNetwork());
  const { socket } = owned.use(await network.startFrr());
  await network.vtysh('speaker', 'configure terminal', `ip route ${foreign} 203.0.113.1`);
  const visibleRoutes = async () => {
    const lines = (await network.vtysh('speaker', 'show running-config')).split('\n');
    const routes = lines.filter((line) => /^ip(?:v6)? route /.test(line) && !line.includes(foreign));
    return routes.map((line) =>
      line
        .replace(/^ip(?:v6)? route /, '')
        .replace(' blackhole tag 666', '')
        .replace(/ (\S+) tag 4470$/, ' via $1'),
    );
  };
  const open = () => frrRouteDriver.open({ socket });
  return withResources(owned, { open, visibleRoutes, foreignPrefix: foreign });
});

test('FRR gets all routes although it rejects one of them', programs, async () => {
  await using network = await startRoutedNetwork();
  await using frr = await network.startFrr();
  await using announcer = await frrRouteDriver.open({ socket: frr.socket });
  const [taken, free] = ['198.51.101.7/32', '198.51.101.8/32'];
  await network.vtysh('speaker', 'configure terminal', `ip route ${taken} 203.0.113.1`);
  const signal = AbortSignal.timeout(60_000);
  const routes = [taken, free].map((prefix) => ({ prefix, nextHop: undefined }));
  await assert.rejects(announcer.announce(routes, signal), { code: 'router_error' });
  assert.deepEqual(await announcer.list(signal), [{ prefix: free, nextHop: undefined }]);
  await announcer.withdraw([taken, free], signal);
  assert.deepEqual(await announcer.list(signal), []);
});

describe('routed addresses', { ...programs, concurrency: 1 }, () => {
  let network: RoutedNetwork;
  let app: TestApp;
  const resources = new AsyncDisposableStack();
  before(async () => {
    network = resources.use(await startRoutedNetwork());
    app = resources.use(await openTestApp());
    resources.use(await runNetworkReconcilers(app));
  });
  after(() => resources.disposeAsync());

  const useRouter = async (driver: string, settings: Record<string, unknown>) => {
    const netblocks = app.site.netblocks!.map((block) =>
      block.pool === undefined ? block : { ...block, delivery: 'routed' as const },
    );
    await applySite(app.parts, {
      ...app.site,
      netblocks,
      nullroutes: { policy: 'offer', router: { driver, settings } },
    });
    app.parts.router.requestSync();
  };
  const request = async (type: string, size: string): Promise<string> => {
    const { body } = await networkCalls(app).legacy('/network/request', { type, size });
    return (body.result as { netblock: string }).netblock;
  };
  const expectReach = (address: string, expected: boolean) =>
    until(async () => (await network.reaches(address)) === expected, {
      saw: async () => ({ address, expected, learned: await network.learned() }),
    });

  const releaseAndExpectNoRoutes = async (netblocks: readonly string[], addresses: readonly string[]) => {
    for (const netblock of netblocks) await operatorResult(app, 'DELETE', 'netblock', { netblock });
    for (const address of addresses) await expectReach(address, false);
    assert.deepEqual(await network.learned(), []);
  };

  it('reach the server through GoBGP, also after it restarts, and stop when null-routed or released', async () => {
    await using gobgp = await network.startGobgp();
    await useRouter('gobgp', { address: `unix:${gobgp.socket}` });
    const four = await request('ipv4', '/29');
    const six = await request('ipv6', '/64');
    const [address, neighbour, sixth] = [
      four.replace('.0/29', '.1'),
      four.replace('.0/29', '.2'),
      six.replace('/64', '1'),
    ];
    for (const each of [`${address}/32`, `${neighbour}/32`, `${sixth}/128`])
      await network.ip('server', 'address', 'add', each, 'dev', 'eth0');
    await expectReach(address, true);
    await expectReach(sixth, true);
    assert.deepEqual(await network.learned(), [four, six].sort());

    await gobgp.stop();
    await expectReach(address, false);
    await gobgp.start();
    await expectReach(address, true);

    const { legacy } = networkCalls(app);
    assertResult(await legacy('/network/nullroute', { ip: address, action: 'add' }), 'Null-routed');
    await expectReach(address, false);
    assert.equal(await network.reaches(neighbour), true);
    assertResult(await legacy('/network/nullroute', { ip: address, action: 'remove' }), 'Null-route Removed');
    await expectReach(address, true);

    await releaseAndExpectNoRoutes([four, six], [address, sixth]);
  });

  it('reach the server through FRR, also after it restarts, and stop when null-routed or released', async () => {
    await using frr = await network.startFrr();
    await useRouter('frr', { socket: frr.socket });
    const params = { service: app.lab.dedicated.service, type: 'ipv4', size: '/32' };
    const { body } = await networkCalls(app).v2('POST', '/v2/network/netblock', params);
    const { netblock: four } = body.result as { netblock: string };
    const six = await request('ipv6', '/64');
    const [address, sixth] = [four.replace('/32', ''), six.replace('/64', '1')];
    for (const each of [four, `${sixth}/128`]) await network.ip('server', 'address', 'add', each, 'dev', 'eth0');
    await expectReach(address, true);
    await expectReach(sixth, true);

    const { legacy } = networkCalls(app);
    assertResult(await legacy('/network/nullroute', { ip: address, action: 'add' }), 'Null-routed');
    await expectReach(address, false);
    await frr.stop();
    await expectReach(sixth, false);
    await frr.start();
    await expectReach(sixth, true);
    assert.equal(await network.reaches(address), false);
    assertResult(await legacy('/network/nullroute', { ip: address, action: 'remove' }), 'Null-route Removed');
    await expectReach(address, true);

    await releaseAndExpectNoRoutes([four, six], [address, sixth]);
  });

  it('are withdrawn from FRR although it rejects another route', async () => {
    await using frr = await network.startFrr();
    await useRouter('frr', { socket: frr.socket });
    const { v2, legacy } = networkCalls(app);
    const params = { service: app.lab.dedicated.service, type: 'ipv4', size: '/32' };
    const requestAddress = async (): Promise<string> => {
      const { body } = await v2('POST', '/v2/network/netblock', params);
      return (body.result as { netblock: string }).netblock;
    };
    const [taken, released] = [await requestAddress(), await requestAddress()];
    await network.vtysh('speaker', 'configure terminal', `ip route ${taken} 203.0.113.1`);
    const nullroute = (netblock: string) =>
      legacy('/network/nullroute', { ip: netblock.replace('/32', ''), action: 'add' });
    assertResult(await nullroute(taken), 'Null-route Pending');
    assertResult(await nullroute(released), 'Null-routed');
    const isAnnounced = async () => (await network.learned()).includes(released);
    await until(isAnnounced);
    await operatorResult(app, 'DELETE', 'netblock', { netblock: released });
    await until(async () => !(await isAnnounced()));
  });
});
