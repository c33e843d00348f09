// The conformance suite of all route drivers. Results are checked by another program at the router or its neighbour,
// not by what the driver reports.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Route, RouteAnnouncer } from './driver.ts';

export interface RouteFixture extends AsyncDisposable {
  open(): Promise<RouteAnnouncer>;
  /** Our routes as the other program sees them, in any order, with `via` and the next hop if they have one. */
  visibleRoutes(): Promise<string[]>;
  /** Another party's route on the same router, if there can be one. */
  readonly foreignPrefix?: string;
}

const dropped = (...prefixes: string[]): Route[] => prefixes.map((prefix) => ({ prefix, nextHop: undefined }));
const nullRoutes = dropped('203.0.113.66/32', '203.0.113.67/32', '2001:db8::77/128');
const deviceRoutes: readonly Route[] = [
  { prefix: '198.18.4.8/29', nextHop: '203.0.113.10' },
  { prefix: '198.18.4.1/32', nextHop: '203.0.113.10' },
  { prefix: '2001:db8:2::/64', nextHop: '2001:db8:1::10' },
];
const deadlineMs = 60_000;

export function describeRouteDriver(
  title: string,
  options: { skip?: string },
  start: () => Promise<RouteFixture>,
): void {
  describe(title, { ...options, concurrency: 1 }, () => {
    let fixture: RouteFixture;
    let announcer: RouteAnnouncer;
    const deadline = () => AbortSignal.timeout(deadlineMs);
    before(async () => {
      fixture = await start();
      announcer = await fixture.open();
    });
    after(async () => {
      await announcer?.[Symbol.asyncDispose]();
      await fixture?.[Symbol.asyncDispose]();
    });
    const texts = (routes: readonly Route[]) =>
      routes.map(({ prefix, nextHop }) => (nextHop === undefined ? prefix : `${prefix} via ${nextHop}`)).toSorted();
    const listed = async () => texts(await announcer.list(deadline()));
    /** Waits, because neighbours learn of a route with a delay. */
    const expectRoutes = async (routes: readonly Route[]) => {
      const expected = texts(routes);
      const deadlineAt = Date.now() + deadlineMs;
      for (;;) {
        const visible = (await fixture.visibleRoutes()).sort();
        if (visible.join() === expected.join()) return;
        if (Date.now() > deadlineAt) assert.deepEqual(visible, expected);
        await sleep(50);
      }
    };

    it('a driver announces null routes of both families, also repeatedly', async () => {
      await announcer.announce(nullRoutes, deadline());
      await announcer.announce(nullRoutes, deadline());
      await expectRoutes(nullRoutes);
      assert.deepEqual(await listed(), texts(nullRoutes));
    });

    it('a driver accepts an IPv6 address in any spelling', async () => {
      await announcer.announce(dropped('2001:0DB8:0:0::0077/128'), deadline());
      await expectRoutes(nullRoutes);
      assert.equal((await announcer.list(deadline())).length, 3);
    });

    it('a driver withdraws the given prefixes, and ignores unknown ones', async () => {
      await announcer.withdraw(['203.0.113.67/32', '2001:0db8::0077/128'], deadline());
      await announcer.withdraw(['203.0.113.67/32', '203.0.113.99/32'], deadline());
      await expectRoutes(nullRoutes.slice(0, 1));
      assert.deepEqual(await listed(), ['203.0.113.66/32']);
    });

    it('a driver announces blocks with the next hop that leads to them, beside null routes', async () => {
      await announcer.announce(deviceRoutes, deadline());
      await announcer.announce(deviceRoutes, deadline());
      await expectRoutes([...deviceRoutes, nullRoutes[0]!]);
      assert.deepEqual(await listed(), texts([...deviceRoutes, nullRoutes[0]!]));
    });

    it('a driver replaces the route of a prefix: by another next hop, by a null route, and back', async () => {
      const [block, single, six] = deviceRoutes as [Route, Route, Route];
      const moved = [{ ...block, nextHop: '203.0.113.11' }, ...dropped(single.prefix), six];
      await announcer.announce(moved, deadline());
      await expectRoutes([...moved, nullRoutes[0]!]);
      assert.deepEqual(await listed(), texts([...moved, nullRoutes[0]!]));
      await announcer.announce(deviceRoutes, deadline());
      await expectRoutes([...deviceRoutes, nullRoutes[0]!]);
      await announcer.withdraw(
        deviceRoutes.map(({ prefix }) => prefix),
        deadline(),
      );
      await expectRoutes(nullRoutes.slice(0, 1));
    });

    it('a driver rejects nonsense, null routes of more than an address, and next hops of the other family', async () => {
      const nonsense = ['', '0.0.0.0/0', '::/0', '203.0.113.0/24', '2001:db8::/32', '999.1.1.1/32', 'all', '10.1'];
      const rejected = [
        ...dropped(...nonsense, '203.0.113.66'),
        { prefix: '198.18.4.8/29', nextHop: '2001:db8:1::10' },
        { prefix: '198.18.4.8/29', nextHop: '203.0.113' },
        { prefix: '0.0.0.0/0', nextHop: '203.0.113.10' },
      ];
      for (const route of rejected) {
        const announce = async () => announcer.announce([route], deadline());
        await assert.rejects(announce, { name: 'ApiError', code: 'router_error' }, JSON.stringify(route));
      }
      await expectRoutes(nullRoutes.slice(0, 1));
    });

    it('a driver withdraws only its own routes', async () => {
      const own = (await announcer.list(deadline())).map(({ prefix }) => prefix);
      assert.ok(!own.includes(fixture.foreignPrefix ?? ''));
      await announcer.withdraw(own, deadline());
      await expectRoutes([]);
    });
  });
}
