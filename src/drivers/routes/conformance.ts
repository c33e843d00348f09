// The conformance suite of all route drivers. Results are checked by another program at the router or its neighbour,
// not by what the driver reports.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RouteAnnouncer } from './driver.ts';

export interface RouteFixture extends AsyncDisposable {
  open(): Promise<RouteAnnouncer>;
  /** Null-routed prefixes as the other program sees them, in any order. */
  visiblePrefixes(): Promise<string[]>;
  /** Another party's route on the same router, if there can be one. */
  readonly foreignPrefix?: string;
}

const addresses = ['203.0.113.66', '203.0.113.67', '2001:db8::77'];
const prefixes = ['203.0.113.66/32', '203.0.113.67/32', '2001:db8::77/128'];
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
    /** Waits, because neighbours learn of a route with a delay. */
    const expectPrefixes = async (expected: readonly string[]) => {
      const deadlineAt = Date.now() + deadlineMs;
      for (;;) {
        const visible = (await fixture.visiblePrefixes()).sort();
        if (visible.join() === expected.toSorted().join()) return;
        if (Date.now() > deadlineAt) assert.deepEqual(visible, expected.toSorted());
        await sleep(50);
      }
    };

    it('a driver announces single addresses of both families, also repeatedly', async () => {
      await announcer.announce(addresses, deadline());
      await announcer.announce(addresses, deadline());
      await expectPrefixes(prefixes);
      assert.deepEqual([...(await announcer.list(deadline()))].sort(), [...addresses].sort());
    });

    it('a driver accepts an IPv6 address in any spelling', async () => {
      await announcer.announce(['2001:0DB8:0:0::0077'], deadline());
      await expectPrefixes(prefixes);
      assert.equal((await announcer.list(deadline())).length, 3);
    });

    it('a driver withdraws the given addresses, and ignores unknown ones', async () => {
      await announcer.withdraw(['203.0.113.67', '2001:0db8::0077'], deadline());
      await announcer.withdraw(['203.0.113.67', '203.0.113.99'], deadline());
      await expectPrefixes(['203.0.113.66/32']);
      assert.deepEqual(await announcer.list(deadline()), ['203.0.113.66']);
    });

    it('a driver rejects everything except single addresses', async () => {
      for (const nonsense of ['', '0.0.0.0/0', '203.0.113.0/24', '2001:db8::/32', '999.1.1.1', 'all', '10.1']) {
        const announce = async () => announcer.announce([nonsense], deadline());
        await assert.rejects(announce, { name: 'ApiError', code: 'router_error' }, nonsense);
      }
      await expectPrefixes(['203.0.113.66/32']);
    });

    it('a driver withdraws only its own routes', async () => {
      await announcer.withdraw(await announcer.list(deadline()), deadline());
      await expectPrefixes([]);
      if (fixture.foreignPrefix !== undefined)
        assert.ok(!(await announcer.list(deadline())).includes(fixture.foreignPrefix));
    });
  });
}
