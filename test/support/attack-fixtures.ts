// Apps for tests of attacks and null-routes: each with its own policy, a detector that reports, and reconcilers that
// run one at a time on request.
import { readFileSync } from 'node:fs';
import { networkReconcilers } from '#server/network-reconcilers.ts';
import { applySite } from '#app/site/apply.ts';
import type { Site } from '#contract/site/site.ts';
import { report, type AttackReport } from './detector.ts';
import { networkCalls, type NetworkCalls } from './network.ts';
import type { TestApp } from './app.ts';

export type Policy = Partial<NonNullable<Site['nullroutes']>>;

export interface AttackFixture {
  readonly app: TestApp;
  readonly calls: NetworkCalls;
  reports(body: object, signedAt?: number): Promise<AttackReport>;
  /** Runs a reconciler once. */
  run(name: 'routes' | 'attack-watch'): Promise<void>;
  /** Routes that the router has received. */
  routed(): string[];
}

export const flood = { packetsPerSecond: 90_000, bitsPerSecond: 720_000_000, protocol: 'udp', kind: 'udp_flood' };
export const automatic = { policy: 'automatic', threshold: { packetsPerSecond: 50_000 } } as const;
export const ownAddress = '203.0.113.10';
export const minuteMs = 60_000;
export const dayMs = 86_400_000;
export const seconds = (milliseconds: number): string => String(Math.floor(milliseconds / 1000));

export async function makeAttackFixture(app: TestApp, policy?: Policy): Promise<AttackFixture> {
  if (policy !== undefined) await applySite(app.parts, withPolicy(app, policy));
  const reconcilers = networkReconcilers(app.parts);
  const { secret } = app.equipment.detector;
  return {
    app,
    calls: networkCalls(app),
    reports: (body, signedAt = app.parts.clock.now()) => report(app, body, { secret, signedAt }),
    run: async (name) => {
      await reconcilers.find((reconciler) => reconciler.name === name)!.run(AbortSignal.timeout(60_000));
    },
    routed: () => routedIn(app),
  };
}

/** The lab's site with another policy. */
export function withPolicy({ site }: TestApp, policy: Policy): Site {
  return { ...site, nullroutes: { ...site.nullroutes!, ...policy } };
}

function routedIn({ equipment }: TestApp): string[] {
  try {
    return readFileSync(equipment.routesFile, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
