// What every driver that announces routes must do, told as tests that any of them can be run through. The witness is not the
// driver: what another program finds at the router, or at its neighbour.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '#kernel/fault.ts';
import type { RouteAnnouncer } from './driver.ts';

export interface RouteCandidate extends AsyncDisposable {
  open(): Promise<RouteAnnouncer>;
  /** Prefixes that the witness sees as null-routes, in any order. */
  seen(): Promise<string[]>;
  /** Somebody else's route at the same router, which is none of ours; undefined where there cannot be one. */
  readonly foreign?: string;
}

const addresses = ['203.0.113.66', '203.0.113.67', '2001:db8::77'];
const prefixes = ['203.0.113.66/32', '203.0.113.67/32', '2001:db8::77/128'];
const deadlineMs = 60_000;

export function describeRouteDriver(
  title: string,
  options: { skip?: string },
  start: () => Promise<RouteCandidate>,
): void {
  describe(title, { ...options, concurrency: 1 }, () => {
    let candidate: RouteCandidate;
    let announcer: RouteAnnouncer;
    const deadline = () => AbortSignal.timeout(deadlineMs);
    before(async () => {
      candidate = await start();
      announcer = await candidate.open();
    });
    after(async () => {
      await announcer?.[Symbol.asyncDispose]();
      await candidate?.[Symbol.asyncDispose]();
    });
    const sees = (wanted: readonly string[]) => untilSeen(candidate, wanted);

    it('announces single addresses of both families, once and again', async () => {
      await announcer.announce(addresses, deadline());
      await announcer.announce(addresses, deadline());
      await sees(prefixes);
      assert.deepEqual([...(await announcer.list(deadline()))].sort(), [...addresses].sort());
    });

    it('knows an IPv6 address in any spelling', async () => {
      await announcer.announce(['2001:0DB8:0:0::0077'], deadline());
      await sees(prefixes);
      assert.equal((await announcer.list(deadline())).length, 3);
    });

    it('withdraws what it is told to, and nothing where nothing is', async () => {
      await announcer.withdraw(['203.0.113.67', '2001:0db8::0077'], deadline());
      await announcer.withdraw(['203.0.113.67', '203.0.113.99'], deadline());
      await sees(['203.0.113.66/32']);
      assert.deepEqual(await announcer.list(deadline()), ['203.0.113.66']);
    });

    it('sends nothing for what is no single address', async () => {
      for (const nonsense of ['', '0.0.0.0/0', '203.0.113.0/24', '2001:db8::/32', '999.1.1.1', 'all', '10.1']) {
        const refused = await Promise.resolve()
          .then(() => announcer.announce([nonsense], deadline()))
          .catch((error: unknown) => error);
        assert.ok(refused instanceof Fault && refused.code === 'router_error', nonsense);
      }
      await sees(['203.0.113.66/32']);
    });

    it('takes back no route but its own', async () => {
      await announcer.withdraw(await announcer.list(deadline()), deadline());
      await sees([]);
      if (candidate.foreign !== undefined) assert.ok(!(await announcer.list(deadline())).includes(candidate.foreign));
    });
  });
}

/** A neighbour learns of it in its own time. */
async function untilSeen(candidate: RouteCandidate, wanted: readonly string[]): Promise<void> {
  const giveUpAt = Date.now() + deadlineMs;
  for (;;) {
    const seen = (await candidate.seen()).sort();
    if (seen.join() === [...wanted].sort().join()) return;
    if (Date.now() > giveUpAt) assert.deepEqual(seen, [...wanted].sort());
    await sleep(50);
  }
}
