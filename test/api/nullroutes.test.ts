// Null-routes on both engines: requested by the customer or set by the operator's policy, within its limits, and at the
// router as the database says.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Context } from '#app/app.ts';
import { endNullroute, expireNullroutes, removeNullroute } from '#app/network/nullroutes.ts';
import { applySite } from '#app/site/apply.ts';
import {
  makeAttackFixture,
  automatic,
  dayMs,
  flood,
  minuteMs,
  ownAddress,
  seconds,
  withPolicy,
  type Policy,
} from '#test/support/attack-fixtures.ts';
import { eventsOf } from '#test/support/detector.ts';
import { routerName } from '#equipment/router.ts';
import { sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { deviceLockRelease, deviceLockAcquire } from '#store/devices/device-locks.ts';
import { nullrouteOpen, nullrouteRemove } from '#store/network/nullroutes.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { asOperator } from '#test/support/operators.ts';
import { until } from '#test/support/until.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

describeOnEngines('null-routes', { postgres: 'in long runs' }, ({ openApp }) => {
  const openFixture = async (policy?: Policy) => makeAttackFixture(await openApp(), policy);

  it('are set by policy for attacks above the threshold, until they end or expire', async () => {
    const { app, calls, reports, run, routed } = await openFixture({ ...automatic, minutes: 10, perDay: 2 });
    await reports({ action: 'start', address: '203.0.113.33', ...flood, packetsPerSecond: 49_999 });
    await reports({ action: 'start', address: '203.0.113.34', ...flood, direction: 'outgoing' });
    await reports({ action: 'start', address: '192.0.2.200', ...flood });
    await run('routes');
    assert.deepEqual(routed(), []);

    const began = app.parts.clock.now();
    await reports({ action: 'start', address: ownAddress, ...flood });
    await reports({ action: 'start', address: '2001:db8:1::10', ...flood });
    await run('routes');
    assert.deepEqual(routed(), ['2001:db8:1::10/128', `${ownAddress}/32`].sort());
    const of = async (ip: string) => (await eventsOf(calls, 1001)).find(({ target_ip }) => target_ip === ip)!;
    const active = await of(ownAddress);
    assert.deepEqual([active.nullroute_end, active.nullroute_active], [null, '1']);
    assert.ok(Number(active.nullroute_start) >= Number(seconds(began)));

    app.pass(minuteMs);
    await reports({ action: 'end', address: ownAddress });
    await run('routes');
    assert.deepEqual(routed(), ['2001:db8:1::10/128']);
    const ended = await of(ownAddress);
    assert.deepEqual([ended.active, ended.nullroute_active], ['0', '0']);
    assert.ok(Number(ended.nullroute_end) >= Number(ended.nullroute_start) + 60);

    // Requested by the customer before the router has withdrawn the previous one.
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

    app.pass(10 * minuteMs);
    await run('routes');
    assert.deepEqual(routed(), []);
    assert.equal((await of('2001:db8:1::10')).active, '1');
    await reports({ action: 'update', address: '2001:db8:1::10', ...flood });
    await run('routes');
    assert.deepEqual(routed(), ['2001:db8:1::10/128']);
    app.pass(11 * minuteMs);
    await run('routes');
    // The third within a day exceeds the limit.
    await reports({ action: 'update', address: '2001:db8:1::10', ...flood });
    await run('routes');
    assert.deepEqual(routed(), []);
    assert.deepEqual((await calls.events('network.nullroute.added'))[0]!.data, {
      ip: ownAddress,
      reason: 'Attack: udp_flood',
    });
    assert.deepEqual((await calls.events('network.nullroute.removed'))[0]!.data, { ip: ownAddress });
  });

  it('of the policy last from the detection, so that a report from long ago sets none', async () => {
    const { app, reports, run, routed } = await openFixture({ ...automatic, minutes: 10 });
    app.pass(60 * minuteMs);
    const ago = (minutes: number) => Math.floor((app.parts.clock.now() - minutes * minuteMs) / 1000);
    await reports({ action: 'start', address: ownAddress, at: ago(11), ...flood });
    await reports({ action: 'start', address: '203.0.113.33', at: ago(8), ...flood });
    await run('routes');
    assert.deepEqual(routed(), ['203.0.113.33/32']);
    app.pass(3 * minuteMs);
    await run('routes');
    assert.deepEqual(routed(), []);
  });

  it('of a customer are announced, listed and lifted', async () => {
    const { app, calls, reports, run, routed } = await openFixture();
    const before = app.parts.clock.now();
    await reports({ action: 'start', address: ownAddress, ...flood });
    assertResult(await calls.legacy('/network/nullroute', { ip: ownAddress }), 'Null-routed');
    assertResult(await calls.legacy('/network/nullroute', { ip: ownAddress, action: 'add' }), 'Null-routed');
    assertResult(await calls.legacy('/network/nullroute', { ip: '2001:DB8:1:1001::0:5' }), 'Null-routed');
    assert.deepEqual(routed(), ['2001:db8:1:1001::5/128', `${ownAddress}/32`].sort());
    const list = async () =>
      (await calls.legacy('/network/nullroute')).body.result as unknown as Record<string, string>[];
    const [six, four, ...others] = await list();
    assert.equal(others.length, 0);
    assert.deepEqual(
      { ...four, start: '' },
      { ip: ownAddress, start: '', end: '0', active: '1', reason: 'Requested by the customer' },
    );
    assert.equal(six!['ip'], '2001:db8:1:1001::5');
    assert.ok(Number(four!['start']) >= Number(seconds(before)));
    assert.equal((await eventsOf(calls, 1001))[0]!.nullroute_active, '1');
    await reports({ action: 'end', address: ownAddress });
    await run('routes');
    assert.equal(routed().length, 2);

    assertResult(await calls.legacy('/network/nullroute', { ip: ownAddress, action: 'remove' }), 'Null-route Removed');
    assert.deepEqual(routed(), ['2001:db8:1:1001::5/128']);
    assert.deepEqual([(await list())[1]!['active'], (await list())[1]!['end'] === '0'], ['0', false]);
    assertRejected(await calls.legacy('/network/nullroute', { ip: ownAddress, action: 'remove' }), 404);
    for (const ip of ['203.0.113.11', '203.0.113.20', '203.0.113.200', '192.0.2.1', '2001:db8:1:1002::5'])
      assertRejected(await calls.legacy('/network/nullroute', { ip }), 404);
    assertRejected(await calls.legacy('/network/nullroute', { ip: '203.0.113.0/24' }), 400);
    assertRejected(await calls.legacy('/network/nullroute', { action: 'remove' }), 400);
    assert.equal((await calls.events('network.nullroute.added')).length, 2);
    assert.equal((await calls.events('network.nullroute.removed')).length, 1);
  });

  it('leave room for others: a customer cannot use up the ceiling, and the policy and staff have a reserve', async () => {
    const { app, calls, reports, run, routed } = await openFixture({ ...automatic, ceiling: 40 });
    const set = (ip: string) => calls.legacy('/network/nullroute', { ip });
    assertResult(await set('203.0.113.32'), 'Null-routed');
    assertResult(await set('203.0.113.33'), 'Null-routed');
    assert.match(assertRejected(await set('203.0.113.34'), 422), /maximum number of null routes/);
    await reports({ action: 'start', address: '203.0.113.34', ...flood });
    await run('routes');
    assert.ok(routed().includes('203.0.113.34/32'));
    const { status } = await asOperator(app, 'POST', 'nullroute', { ip: '203.0.113.35', reason: 'a test' });
    assert.equal(status, 200);
  });

  it('of one service leave some of the account to its other services', async () => {
    const { app, calls } = await openFixture({ ceiling: 20 });
    const other = { ip: '203.0.113.11', server: 'dc01r01ds02-01' };
    assertResult(await calls.legacy('/network/nullroute', { ip: '203.0.113.32' }), 'Null-routed');
    assertRejected(await calls.legacy('/network/nullroute', { ip: '203.0.113.33' }), 422);
    assertResult(await calls.legacy('/network/nullroute', other), 'Null-routed');
    assertResult(await calls.legacy('/network/nullroute', { ...other, action: 'remove' }), 'Null-route Removed');
    await applySite(app.parts, withPolicy(app, { policy: 'offer', ceiling: 10 }));
    assertRejected(await calls.legacy('/network/nullroute', other), 422);
  });

  it('of the policy or of staff are not lifted by the customer', async () => {
    const { app, calls, reports, run, routed } = await openFixture(automatic);
    const lift = (ip: string) => calls.legacy('/network/nullroute', { ip, action: 'remove' });
    await reports({ action: 'start', address: '203.0.113.33', ...flood });
    await asOperator(app, 'POST', 'nullroute', { ip: '203.0.113.34', reason: 'a test' });
    // Staff take over the one that the customer asked for.
    assertResult(await calls.legacy('/network/nullroute', { ip: '203.0.113.35' }), 'Null-routed');
    await asOperator(app, 'POST', 'nullroute', { ip: '203.0.113.35', reason: 'a test' });
    await run('routes');
    for (const ip of ['203.0.113.33', '203.0.113.34', '203.0.113.35'])
      assert.match(assertRejected(await lift(ip), 409), /The provider set this null route/);
    assert.equal(routed().length, 3);
    assert.equal((await asOperator(app, 'DELETE', 'nullroute', { ip: '203.0.113.34' })).status, 200);
  });

  it('that staff take over just as a customer lifts them, or as their attack ends, are kept', async () => {
    const { app, calls, reports, run, routed } = await openFixture(automatic);
    const { queries } = app.parts.store;
    const [requested, ofPolicy] = ['203.0.113.33', '203.0.113.34'] as const;
    const open = async (ip: string) => (await nullrouteOpen(queries, sortableAddress(parseAddress(ip)!)))!;
    assertResult(await calls.legacy('/network/nullroute', { ip: requested }), 'Null-routed');
    await reports({ action: 'start', address: ofPolicy, ...flood });
    const before = [await open(requested), await open(ofPolicy)] as const;
    for (const ip of [requested, ofPolicy]) await asOperator(app, 'POST', 'nullroute', { ip, reason: 'a test' });
    const context = { app: app.parts, queries } as Partial<Context> as Context;
    await assert.rejects(removeNullroute(context, before[0]), /changed by another request/);
    await app.parts.store.transaction((work) => endNullroute(app.parts, work, before[1]));
    await run('routes');
    assert.deepEqual(routed(), [`${requested}/32`, `${ofPolicy}/32`]);
  });

  it('that staff extend just as they expire are kept', async () => {
    const { app, routed, run } = await openFixture();
    const set = (minutes: number) =>
      asOperator(app, 'POST', 'nullroute', { ip: ownAddress, reason: 'a test', minutes });
    await set(10);
    app.pass(11 * minuteMs);
    const { store } = app.parts;
    const transaction: typeof store.transaction = async (work) => {
      assert.equal((await set(60)).status, 200);
      return store.transaction(work);
    };
    await expireNullroutes({ ...app.parts, store: { ...store, transaction } });
    await run('routes');
    assert.deepEqual(routed(), [`${ownAddress}/32`]);
  });

  it('that a customer sets again and again do not use up those of the policy', async () => {
    const { calls, reports, run, routed } = await openFixture({ ...automatic, perDay: 2 });
    const set = (action: string) => calls.legacy('/network/nullroute', { ip: ownAddress, action });
    for (let count = 0; count < 2; count++) {
      assertResult(await set('add'), 'Null-routed');
      assertResult(await set('remove'), 'Null-route Removed');
    }
    assert.match(assertRejected(await set('add'), 409), /too often/);
    await reports({ action: 'start', address: ownAddress, ...flood });
    await run('routes');
    assert.deepEqual(routed(), [`${ownAddress}/32`]);
  });

  it('are not set beyond the ceiling, too often, or where the operator forbids them', async () => {
    const { app, calls, run, routed } = await openFixture({ ceiling: 40, perDay: 2 });
    const set = (ip: string, action = 'add') => calls.legacy('/network/nullroute', { ip, action });
    assertResult(await set('203.0.113.32'), 'Null-routed');
    assertResult(await set('203.0.113.33'), 'Null-routed');
    assert.match(assertRejected(await set('203.0.113.34'), 422), /maximum number of null routes/);
    assertResult(await set('203.0.113.33', 'remove'), 'Null-route Removed');
    assertResult(await set('203.0.113.33'), 'Null-routed');
    assertResult(await set('203.0.113.33', 'remove'), 'Null-route Removed');
    assert.match(assertRejected(await set('203.0.113.33'), 409), /too often/);
    app.pass(dayMs);
    assertResult(await set('203.0.113.33'), 'Null-routed');
    await applySite(app.parts, withPolicy(app, { policy: 'never' }));
    assertRejected(await set('203.0.113.35'), 422);
    assertResult(await set('203.0.113.33', 'remove'), 'Null-route Removed');

    const moved = app.site.netblocks!.map((block) =>
      block.cidr === '203.0.113.32/29' ? { ...block, service: 1002 } : block,
    );
    await applySite(app.parts, { ...app.site, netblocks: moved });
    await run('routes');
    // An address that has a new holder is no longer routed for the previous one.
    assert.deepEqual(routed(), []);
  });

  it('that another request removed before they were announced are a conflict', async () => {
    const { app, calls, routed } = await openFixture();
    const { queries } = app.parts.store;
    const now = app.parts.clock.now();
    const lock = { device: routerName, holder: 'another request', purpose: 'a test', held_until: now + 60_000 };
    assert.equal(await deviceLockAcquire(queries, lock, now), true);
    const adding = calls.legacy('/network/nullroute', { ip: ownAddress });
    let id: number | undefined;
    await until(
      async () => (id = (await nullrouteOpen(queries, sortableAddress(parseAddress(ownAddress)!)))?.id) !== undefined,
    );
    assert.equal(await nullrouteRemove(queries, { id: id!, origin: 'customer' }, now), true);
    await deviceLockRelease(queries, routerName, lock.holder);
    assert.match(assertRejected(await adding, 409), /removed by another request/);
    assert.deepEqual(routed(), []);
  });

  it('at the router match the database, whatever happened there, and after it was away', async () => {
    const { app, calls, run, routed } = await openFixture();
    assertResult(await calls.legacy('/network/nullroute', { ip: '203.0.113.32' }), 'Null-routed');
    await app.parts.router.use((router) => router.withdraw(['203.0.113.32/32'], AbortSignal.timeout(60_000)));
    const stray = { prefix: '198.51.100.7/32', nextHop: undefined };
    await app.parts.router.use((router) => router.announce([stray], AbortSignal.timeout(60_000)));
    await run('routes');
    assert.deepEqual(routed(), ['203.0.113.32/32']);
    assertResult(
      await calls.legacy('/network/nullroute', { ip: '203.0.113.32', action: 'remove' }),
      'Null-route Removed',
    );

    const away = { driver: 'gobgp', settings: { address: '127.0.0.1:1' } };
    await applySite(app.parts, withPolicy(app, { router: away }));
    assertResult(await calls.legacy('/network/nullroute', { ip: ownAddress }), 'Null-route Pending');
    const list = async () =>
      (await calls.legacy('/network/nullroute')).body.result as unknown as Record<string, string>[];
    assert.deepEqual([(await list())[0]!['active'], (await list())[0]!['end']], ['0', '0']);
    await assert.rejects(run('routes'));
    await applySite(app.parts, app.site);
    await run('routes');
    assert.deepEqual(routed(), [`${ownAddress}/32`]);
    assert.equal((await list())[0]!['active'], '1');
    await applySite(app.parts, withPolicy(app, { router: away }));
    const removal = await calls.legacy('/network/nullroute', { ip: ownAddress, action: 'remove' });
    assertResult(removal, 'Null-route Removal Pending');
    assert.equal((await list())[0]!['active'], '1');
    await applySite(app.parts, app.site);
    await run('routes');
    assert.deepEqual([routed(), (await list())[0]!['active']], [[], '0']);
  });
});
