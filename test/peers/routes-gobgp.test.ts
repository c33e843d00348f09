// Our route driver against GoBGP, alone and as the router of a whole Hostyard. The witness is a second GoBGP that
// receives the routes over BGP.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeRouteDriver } from '#drivers/routes/conformance.ts';
import { applySite } from '#app/site/apply.ts';
import { gobgpRouteDriver } from '#drivers/routes/gobgp/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { startGobgpPair } from '#test/support/gobgp.ts';
import { assertResult } from '#test/support/devices.ts';
import { needs } from '#test/support/needs.ts';
import { networkCalls } from '#test/support/network.ts';
import { runNetworkReconcilers } from '#test/support/network-reconcilers.ts';
import { openTestApp } from '#test/support/app.ts';
import { until } from '#test/support/until.ts';

const programs = needs('gobgpd', 'gobgp');
const foreign = '198.51.100.1/32';
const deadline = () => AbortSignal.timeout(60_000);
const own = { nextHop: '192.0.2.9', nextHop6: '100::9', communities: ['65010:666'] };
const isNullroute = ({ communities }: { communities: readonly string[] }) => communities.includes('65535:666');

describeRouteDriver('routes by GoBGP', programs, async () => {
  const pair = await startGobgpPair();
  await pair.established();
  await pair.speaker.run('global', 'rib', 'add', foreign, 'nexthop', '192.0.2.1');
  return {
    open: () => gobgpRouteDriver.open({ address: pair.speaker.api, ...own }),
    visibleRoutes: async () =>
      (await pair.neighbour.routes())
        .filter(({ prefix }) => prefix !== foreign)
        .map((route) => (isNullroute(route) ? route.prefix : `${route.prefix} via ${route.nextHop}`)),
    foreignPrefix: foreign,
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
});

describe('GoBGP', programs, () => {
  it('passes both communities on, is unreachable while it is away, and reports when it is back, empty', async () => {
    await using pair = await startGobgpPair();
    await using announcer = await gobgpRouteDriver.open({ address: pair.speaker.api, ...own });
    let returns = 0;
    announcer.onReconnect!(() => returns++);
    await pair.established();
    const prefixes = ['203.0.113.66/32', '2001:db8::77/128'];
    await announcer.announce(
      prefixes.map((prefix) => ({ prefix, nextHop: undefined })),
      deadline(),
    );
    await until(async () => (await pair.neighbour.routes()).length === 2, { saw: () => pair.neighbour.routes() });
    for (const { communities } of await pair.neighbour.routes())
      assert.deepEqual([...communities].sort(), ['65010:666', '65535:666']);

    await pair.speaker.stop();
    const away = await announcer.list(deadline()).catch((error: unknown) => error);
    assert.ok(away instanceof ApiError && away.code === 'router_unreachable', String(away));
    await pair.speaker.start();
    await until(() => returns > 0);
    assert.deepEqual(await announcer.list(deadline()), []);
  });

  it('that restarts gets its null-routes back, including those requested while it was away', async () => {
    await using pair = await startGobgpPair();
    await using app = await openTestApp();
    const router = { driver: 'gobgp', settings: { address: pair.speaker.api } };
    await applySite(app.parts, { ...app.site, nullroutes: { policy: 'offer', router } });
    await using _reconcilers = await runNetworkReconcilers(app);
    const { legacy } = networkCalls(app);
    const nullroute = (ip: string, action = 'add') => legacy('/network/nullroute', { ip, action });
    const prefixes = async () =>
      (await pair.neighbour.routes())
        .filter(isNullroute)
        .map(({ prefix }) => prefix)
        .sort()
        .join();
    const neighbourHas = (...expected: string[]) =>
      until(async () => (await prefixes()) === expected.sort().join(), { saw: prefixes });
    await pair.established();
    assertResult(await nullroute('203.0.113.10'), 'Null-routed');
    assertResult(await nullroute('2001:db8:1::10'), 'Null-routed');
    await neighbourHas('203.0.113.10/32', '2001:db8:1::10/128');

    await pair.speaker.stop();
    assertResult(await nullroute('203.0.113.33'), 'Null-route Pending');
    assertResult(await nullroute('203.0.113.10', 'remove'), 'Null-route Removal Pending');
    await pair.speaker.start();
    await neighbourHas('203.0.113.33/32', '2001:db8:1::10/128');
    // Restarted between two runs, without any request.
    await pair.speaker.stop();
    await pair.speaker.start();
    await neighbourHas('203.0.113.33/32', '2001:db8:1::10/128');
    assertResult(await nullroute('203.0.113.33', 'remove'), 'Null-route Removed');
    await neighbourHas('2001:db8:1::10/128');
  });
});
