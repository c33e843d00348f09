// An attack from end to end with third-party programs: crafted sFlow makes FastNetMon ban an address, its notify script
// and its Redis report to Hostyard, GoBGP announces the null-route, and a second GoBGP receives it over BGP.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AnomalyEvent } from '#sdk/v2.ts';
import { eventsOf } from '#test/support/detector.ts';
import { startFastnetmon } from '#test/support/fastnetmon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { startGobgpPair } from '#test/support/gobgp.ts';
import { needs } from '#test/support/needs.ts';
import { networkCalls } from '#test/support/network.ts';
import { runNetworkReconcilers } from '#test/support/network-reconcilers.ts';
import { startFlood } from '#test/support/sflow.ts';
import { openTestApp } from '#test/support/app.ts';
import { applySite } from '#app/site/apply.ts';
import { until } from '#test/support/until.ts';

const four = '203.0.113.10';
const six = '2001:db8:1::10';
const own = '65010:666';

describe('an attack detected by FastNetMon', needs('fastnetmon', 'gobgpd', 'gobgp', 'redis-server'), () => {
  it('becomes an event with its records, is null-routed, and both end with it', async () => {
    await using folder = await temporaryFolder('detect');
    await using pair = await startGobgpPair();
    await using app = await openTestApp();
    const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
    const config = join(folder.path, 'detector.json');
    const settings = { url: app.url, name: 'fastnetmon', secret, spool: join(folder.path, 'spool') };
    await writeFile(config, JSON.stringify(settings));
    await using fastnetmon = await startFastnetmon({
      networks: ['203.0.113.0/24', '2001:db8:1::/48'],
      notify: [process.execPath, 'src/server/commands/detect.ts', '--config', config],
    });
    const router = { driver: 'gobgp', settings: { address: pair.speaker.api, communities: [own] } };
    await applySite(app.parts, {
      ...app.site,
      detectors: [{ name: 'fastnetmon', secret, redis: fastnetmon.redis }],
      nullroutes: { policy: 'automatic', threshold: { packetsPerSecond: 2000 }, router },
    });
    await using _reconcilers = await runNetworkReconcilers(app);
    await pair.established();

    const calls = networkCalls(app);
    const began = performance.now();
    let after = { event: 0, route: 0 };
    const events = () => eventsOf(calls, 1001);
    const both = (matches: (event: AnomalyEvent) => boolean) => async () =>
      new Set((await events()).filter(matches).map(({ target_ip }) => target_ip)).size === 2;
    {
      using _flood = startFlood(fastnetmon.sflow, [four, six]);
      await until(
        both(({ detail, logs }) => detail.results > 0 && logs.results > 0),
        { saw: events },
      );
      after = { ...after, event: performance.now() - began };
      await until(async () => (await pair.neighbour.routes()).length === 2, { saw: () => pair.neighbour.routes() });
      after = { ...after, route: performance.now() - began };
    }
    const text = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
    console.log(`after the first sample: events ${text(after.event)}, routes at the neighbour ${text(after.route)}`);
    const routes = await pair.neighbour.routes();
    assert.deepEqual(routes.map(({ prefix }) => prefix).sort(), [`${six}/128`, `${four}/32`].sort());
    for (const { communities } of routes) assert.deepEqual([...communities].sort(), [own, '65535:666']);

    await until(
      both(({ active, nullroute_active }) => active === '0' && nullroute_active === '0'),
      { saw: events },
    );
    await until(async () => (await pair.neighbour.routes()).length === 0, { saw: () => pair.neighbour.routes() });
    for (const event of await events()) {
      assert.deepEqual([event.internal_service, event.internal_device], ['1001', 'dc01r01ds01']);
      assert.ok(Number(event.end) >= Number(event.start));
      assert.ok(event.nullroute_start !== null && event.nullroute_end !== null);
      const packets = event.detail.result.find(({ rule_unit }) => rule_unit === 'packets/s')!;
      assert.ok(Number(packets['value']) >= 2000);
      assert.equal(packets['sensor_type'], 'fastnetmon');
      assert.equal(packets['mask'], event.target_ip === four ? '32' : '128');
      assert.ok(event.detail.result.some(({ filters, protocal }) => filters === 'udp_flood' && protocal === 'udp'));
      assert.ok(event.logs.result.some(({ d_udp }) => Number(d_udp) >= 2000));
    }
    // The script and Redis report the same attack.
    assert.equal((await events()).length, 2);
  });
});
