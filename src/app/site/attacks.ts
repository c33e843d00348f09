// Detectors, the policy of null-routes and the router of a site file in the database, with their secrets sealed; and what can
// be wrong with them beyond their shape.
import type { SiteDetector } from '#contract/site-attacks.ts';
import type { Site } from '#contract/site.ts';
import { routeSettings } from '#drivers/routes/registry.ts';
import { routerName } from '#equipment/router.ts';
import { hookSecret } from '#kernel/hook-signature.ts';
import { detectorFind, detectorList, detectorPut, detectorRemove } from '#store/network/detectors.ts';
import { routerFind, routerPut, routerRemove } from '#store/network/routers.ts';
import type { Queries } from '#store/store.ts';
import { nullroutePolicyPut } from '../network/nullroute-policy.ts';
import type { PlacedFault, SitePath } from './placed-fault.ts';
import { driverFaults } from './shape-faults.ts';
import { referenceIn } from './secrets.ts';
import type { Yard } from '../yard.ts';

/** What a detector's row holds, sealed. */
export interface DetectorSettings {
  readonly secret: string;
  readonly silentMinutes: number;
  readonly redis: { readonly url: string; readonly prefix: string } | undefined;
}

const defaultSilentMinutes = 60;

export function detectorSealContext(name: string): string {
  return `detector ${name}`;
}

export async function applyAttacks(yard: Yard, queries: Queries, site: Site): Promise<void> {
  const detectors = site.detectors ?? [];
  for (const { name } of await detectorList(queries)) {
    if (!detectors.some((detector) => detector.name === name)) await detectorRemove(queries, name);
  }
  for (const detector of detectors) {
    const { name } = detector;
    const before = (await detectorFind(queries, name))?.settings;
    const settings = sealed(yard, before, settingsOf(detector), detectorSealContext(name));
    if (settings !== before) await detectorPut(queries, { name, settings });
  }
  await nullroutePolicyPut(queries, site.nullroutes);
  await applyRouter(yard, queries, site);
}

async function applyRouter(yard: Yard, queries: Queries, { nullroutes }: Site): Promise<void> {
  if (nullroutes?.router === undefined) return routerRemove(queries, routerName);
  const { driver } = nullroutes.router;
  const before = await routerFind(queries, routerName);
  const settings = sealed(yard, before?.settings, nullroutes.router.settings, routerName);
  if (before?.driver !== driver || before.settings !== settings)
    await routerPut(queries, { name: routerName, driver, settings });
}

function settingsOf({ secret, silentMinutes, redis }: SiteDetector): DetectorSettings {
  return {
    secret,
    silentMinutes: silentMinutes ?? defaultSilentMinutes,
    redis,
  };
}

/** Sealing gives another text each time: what did not change keeps the one that it has. */
function sealed(yard: Yard, before: string | undefined, settings: object, context: string): string {
  const text = JSON.stringify(settings);
  return before !== undefined && yard.secrets.open(before, context) === text
    ? before
    : yard.secrets.seal(text, context);
}

export function* attackFaults({ detectors = [], nullroutes }: Site): Iterable<PlacedFault> {
  const seen = new Set<string>();
  for (const [index, detector] of detectors.entries()) {
    const path = ['detectors', index];
    if (seen.has(detector.name)) yield [[...path, 'name'], `detector ${detector.name} is there twice`];
    seen.add(detector.name);
    yield* secretFaults(path, detector);
  }
  if (nullroutes === undefined) return;
  const { policy, threshold = {}, router } = nullroutes;
  if (policy !== 'never' && router === undefined) yield [['nullroutes'], `the policy ${policy} needs a router`];
  if (policy === 'automatic' && Object.keys(threshold).length === 0)
    yield [['nullroutes'], 'the policy automatic needs a threshold'];
  if (router === undefined) return;
  for (const [inner, message] of driverFaults(routeSettings, router))
    yield [['nullroutes', 'router', ...inner], message];
}

function* secretFaults(path: SitePath, { secret, redis }: SiteDetector): Iterable<PlacedFault> {
  if (referenceIn(secret) === undefined && hookSecret(secret) === undefined)
    yield [[...path, 'secret'], 'secret must be whsec_ and at least 16 bytes in base64'];
  if (redis !== undefined && referenceIn(redis.url) === undefined && !/^rediss?:\/\//.test(redis.url))
    yield [[...path, 'redis', 'url'], 'url must begin with redis:// or rediss://'];
}
