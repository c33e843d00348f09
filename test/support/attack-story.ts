// Stories of attacks and null-routes: a yard each, with the policy that the story is about, a detector that reports, and the
// reconcilers run one by one.
import { readFileSync } from 'node:fs';
import { networkReconcilers } from '#admin/network-reconcilers.ts';
import { applySite } from '#app/site/apply.ts';
import type { Site } from '#contract/site.ts';
import { report, type Reported } from './detector.ts';
import { networkCalls, type NetworkCalls } from './network.ts';
import { openTestYard, type engines, type TestYard } from './yard.ts';

type Policy = Partial<NonNullable<Site['nullroutes']>>;

export interface AttackStory {
  readonly yard: TestYard;
  readonly calls: NetworkCalls;
  reports(body: object, signedAt?: number): Promise<Reported>;
  /** One run of a reconciler. */
  run(name: 'routes' | 'attack-watch'): Promise<void>;
  /** What the router was told. */
  routed(): string[];
}

export const flood = { packetsPerSecond: 90_000, bitsPerSecond: 720_000_000, protocol: 'udp', kind: 'udp_flood' };
export const automatic = { policy: 'automatic', threshold: { packetsPerSecond: 50_000 } } as const;
export const own = '203.0.113.10';
export const minuteMs = 60_000;
export const dayMs = 86_400_000;
export const seconds = (milliseconds: number): string => String(Math.floor(milliseconds / 1000));

type Databases = Awaited<ReturnType<(typeof engines)[number]['start']>>;

/** Tells stories on databases of their own; all end with what owns them. */
export function attackStories(owned: AsyncDisposableStack, databases: Databases) {
  owned.use(databases);
  return async (policy?: Policy): Promise<AttackStory> => {
    const story = await openAttackStory(await databases.newDatabase(), policy);
    owned.use(story.yard);
    return story;
  };
}

async function openAttackStory(database: Parameters<typeof openTestYard>[0], policy?: Policy): Promise<AttackStory> {
  const yard = await openTestYard(database);
  if (policy !== undefined) await applySite(yard.parts, withPolicy(yard, policy));
  const reconcilers = networkReconcilers(yard.parts);
  const { secret } = yard.equipment.detector;
  return {
    yard,
    calls: networkCalls(yard),
    reports: (body, signedAt = yard.parts.clock.now()) => report(yard, body, { secret, signedAt }),
    run: async (name) => {
      await reconcilers.find((each) => each.name === name)!.run(AbortSignal.timeout(60_000));
    },
    routed: () => routedIn(yard),
  };
}

/** The lab's site with another policy. */
export function withPolicy({ site }: TestYard, policy: Policy): Site {
  return { ...site, nullroutes: { ...site.nullroutes!, ...policy } };
}

function routedIn({ equipment }: TestYard): string[] {
  try {
    return readFileSync(equipment.routesFile, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
