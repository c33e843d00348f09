// Null-routes on both engines: by the customer and by the operator's policy, within its limits, and at the router as the
// database says.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import {
  attackStories,
  automatic,
  dayMs,
  flood,
  minuteMs,
  own,
  seconds,
  withPolicy,
} from '#test/support/attack-story.ts';
import { eventsOf } from '#test/support/detector.ts';
import { refused, succeeds } from '#test/support/devices.ts';
import { engines } from '#test/support/yard.ts';

for (const { engine, suite, start } of engines) {
  describe(`null-routes on ${engine}`, suite, () => {
    let owned: AsyncDisposableStack;
    let tell: ReturnType<typeof attackStories>;
    before(async () => {
      owned = new AsyncDisposableStack();
      tell = attackStories(owned, await start());
    });
    after(() => owned.disposeAsync());

    it('are made by policy for attacks above the threshold, until they end or their time is over', async () => {
      const { yard, calls, reports, run, routed } = await tell({ ...automatic, minutes: 10, perDay: 2 });
      await reports({ action: 'start', address: '203.0.113.33', ...flood, packetsPerSecond: 49_999 });
      await reports({ action: 'start', address: '203.0.113.34', ...flood, direction: 'outgoing' });
      await reports({ action: 'start', address: '192.0.2.200', ...flood });
      await run('routes');
      assert.deepEqual(routed(), []);

      const began = yard.parts.clock.now();
      await reports({ action: 'start', address: own, ...flood });
      await reports({ action: 'start', address: '2001:db8:1::10', ...flood });
      await run('routes');
      assert.deepEqual(routed(), ['2001:db8:1::10/128', `${own}/32`].sort());
      const of = async (ip: string) => (await eventsOf(calls, 1001)).find(({ target_ip }) => target_ip === ip)!;
      const active = await of(own);
      assert.deepEqual([active.nullroute_end, active.nullroute_active], [null, '1']);
      assert.ok(Number(active.nullroute_start) >= Number(seconds(began)));

      yard.pass(minuteMs);
      await reports({ action: 'end', address: own });
      await run('routes');
      assert.deepEqual(routed(), ['2001:db8:1::10/128']);
      const ended = await of(own);
      assert.deepEqual([ended.active, ended.nullroute_active], ['0', '0']);
      assert.ok(Number(ended.nullroute_end) >= Number(ended.nullroute_start) + 60);

      // Wished for by the customer before the router has heard that it is over.
      const other = '203.0.113.33';
      await reports({ action: 'update', address: other, ...flood });
      await run('routes');
      await reports({ action: 'end', address: other });
      assert.equal((await calls.legacy('/network/nullroute', { ip: other })).body.result, 'Null-routed');
      await run('routes');
      assert.deepEqual(routed(), ['2001:db8:1::10/128', `${other}/32`]);
      assert.equal((await calls.legacy('/network/nullroute', { ip: other, action: 'remove' })).status, 200);
      await run('routes');
      assert.deepEqual(routed(), ['2001:db8:1::10/128']);

      yard.pass(10 * minuteMs);
      await run('routes');
      assert.deepEqual(routed(), []);
      assert.equal((await of('2001:db8:1::10')).active, '1');
      await reports({ action: 'update', address: '2001:db8:1::10', ...flood });
      await run('routes');
      assert.deepEqual(routed(), ['2001:db8:1::10/128']);
      yard.pass(11 * minuteMs);
      await run('routes');
      // The third within a day is one too many.
      await reports({ action: 'update', address: '2001:db8:1::10', ...flood });
      await run('routes');
      assert.deepEqual(routed(), []);
      assert.deepEqual((await calls.events('network.nullroute.added'))[0]!.data, {
        ip: own,
        reason: 'Attack: udp_flood',
      });
      assert.deepEqual((await calls.events('network.nullroute.removed'))[0]!.data, { ip: own });
    });

    it('of a customer are announced, listed, lifted', async () => {
      const { yard, calls, reports, run, routed } = await tell();
      const before = yard.parts.clock.now();
      await reports({ action: 'start', address: own, ...flood });
      succeeds(await calls.legacy('/network/nullroute', { ip: own }), 'Null-routed');
      succeeds(await calls.legacy('/network/nullroute', { ip: own, action: 'add' }), 'Null-routed');
      succeeds(await calls.legacy('/network/nullroute', { ip: '2001:DB8:1:1001::0:5' }), 'Null-routed');
      assert.deepEqual(routed(), ['2001:db8:1:1001::5/128', `${own}/32`].sort());
      const list = async () =>
        (await calls.legacy('/network/nullroute')).body.result as unknown as Record<string, string>[];
      const [six, four, ...others] = await list();
      assert.equal(others.length, 0);
      assert.deepEqual(
        { ...four, start: '' },
        { ip: own, start: '', end: '0', active: '1', reason: 'Requested by the customer' },
      );
      assert.equal(six!['ip'], '2001:db8:1:1001::5');
      assert.ok(Number(four!['start']) >= Number(seconds(before)));
      assert.equal((await eventsOf(calls, 1001))[0]!.nullroute_active, '1');
      await reports({ action: 'end', address: own });
      await run('routes');
      assert.equal(routed().length, 2);

      succeeds(await calls.legacy('/network/nullroute', { ip: own, action: 'remove' }), 'Null-route Removed');
      assert.deepEqual(routed(), ['2001:db8:1:1001::5/128']);
      assert.deepEqual([(await list())[1]!['active'], (await list())[1]!['end'] === '0'], ['0', false]);
      refused(await calls.legacy('/network/nullroute', { ip: own, action: 'remove' }), 404);
      for (const ip of ['203.0.113.11', '203.0.113.20', '203.0.113.200', '192.0.2.1', '2001:db8:1:1002::5'])
        refused(await calls.legacy('/network/nullroute', { ip }), 404);
      refused(await calls.legacy('/network/nullroute', { ip: '203.0.113.0/24' }), 400);
      refused(await calls.legacy('/network/nullroute', { action: 'remove' }), 400);
      assert.equal((await calls.events('network.nullroute.added')).length, 2);
      assert.equal((await calls.events('network.nullroute.removed')).length, 1);
    });

    it('are not made beyond the ceiling, too often, or where the operator says never', async () => {
      const { yard, calls, run, routed } = await tell({ ceiling: 2, perDay: 2 });
      const set = (ip: string, action = 'add') => calls.legacy('/network/nullroute', { ip, action });
      succeeds(await set('203.0.113.32'), 'Null-routed');
      succeeds(await set('203.0.113.33'), 'Null-routed');
      assert.match(refused(await set('203.0.113.34'), 422), /as many null-routes/);
      succeeds(await set('203.0.113.33', 'remove'), 'Null-route Removed');
      succeeds(await set('203.0.113.33'), 'Null-routed');
      succeeds(await set('203.0.113.33', 'remove'), 'Null-route Removed');
      assert.match(refused(await set('203.0.113.33'), 409), /too often/);
      yard.pass(dayMs);
      succeeds(await set('203.0.113.33'), 'Null-routed');
      await applySite(yard.parts, withPolicy(yard, { policy: 'never' }));
      refused(await set('203.0.113.35'), 422);
      succeeds(await set('203.0.113.33', 'remove'), 'Null-route Removed');

      const moved = yard.site.netblocks!.map((block) =>
        block.cidr === '203.0.113.32/29' ? { ...block, service: 1002 } : block,
      );
      await applySite(yard.parts, { ...yard.site, netblocks: moved });
      await run('routes');
      // What somebody else has now is not routed for the one who had it.
      assert.deepEqual(routed(), []);
    });

    it('are as the database says: whatever happened at the router, and once it is back from being away', async () => {
      const { yard, calls, run, routed } = await tell();
      succeeds(await calls.legacy('/network/nullroute', { ip: '203.0.113.32' }), 'Null-routed');
      await yard.parts.router.use((router) => router.withdraw(['203.0.113.32'], AbortSignal.timeout(60_000)));
      await yard.parts.router.use((router) => router.announce(['198.51.100.7'], AbortSignal.timeout(60_000)));
      await run('routes');
      assert.deepEqual(routed(), ['203.0.113.32/32']);
      succeeds(
        await calls.legacy('/network/nullroute', { ip: '203.0.113.32', action: 'remove' }),
        'Null-route Removed',
      );

      const away = { driver: 'gobgp', settings: { address: '127.0.0.1:1' } };
      await applySite(yard.parts, withPolicy(yard, { router: away }));
      succeeds(await calls.legacy('/network/nullroute', { ip: own }), 'Null-route Pending');
      const list = async () =>
        (await calls.legacy('/network/nullroute')).body.result as unknown as Record<string, string>[];
      assert.deepEqual([(await list())[0]!['active'], (await list())[0]!['end']], ['0', '0']);
      await assert.rejects(run('routes'));
      await applySite(yard.parts, yard.site);
      await run('routes');
      assert.deepEqual(routed(), [`${own}/32`]);
      assert.equal((await list())[0]!['active'], '1');
      await applySite(yard.parts, withPolicy(yard, { router: away }));
      const removal = await calls.legacy('/network/nullroute', { ip: own, action: 'remove' });
      succeeds(removal, 'Null-route Removal Pending');
      assert.equal((await list())[0]!['active'], '1');
      await applySite(yard.parts, yard.site);
      await run('routes');
      assert.deepEqual([routed(), (await list())[0]!['active']], [[], '0']);
    });
  });
}
