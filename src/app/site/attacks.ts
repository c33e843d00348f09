// Checks the detectors, null-route policy and router of a site file, and stores them with their secrets sealed.
import type { SiteDetector } from '#contract/site/attacks.ts';
import type { Site } from '#contract/site/site.ts';
import { routeSettings } from '#drivers/routes/registry.ts';
import { routerName } from '#equipment/router.ts';
import { hookSecret } from '#lib/hook-signature.ts';
import {
  detectorFind,
  detectorList,
  detectorPut,
  detectorRemove,
  type DetectorSettings,
} from '#store/network/detectors.ts';
import { routerFind, routerPut, routerRemove } from '#store/network/routers.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { storeNullroutePolicy } from '../network/nullroute-policy.ts';
import { differs, sealSettingsIfChanged } from './equipment.ts';
import { createDuplicateCheck, type SiteProblem, type SitePath } from './site-problem.ts';
import { checkDriver } from './schema-checks.ts';
import { parseReference } from './secrets.ts';
import type { App } from '../app.ts';

const defaultSilentMinutes = 60;

export function detectorSealContext(name: string): string {
  return `detector ${name}`;
}

export async function applyAttacks(app: App, queries: Queries, site: Site): Promise<void> {
  const detectors = site.detectors ?? [];
  for (const { name } of await detectorList(queries)) {
    if (!detectors.some((detector) => detector.name === name)) await detectorRemove(queries, name);
  }
  for (const { name, secret, silentMinutes = defaultSilentMinutes, redis } of detectors) {
    const stored = (await detectorFind(queries, name))?.settings;
    const siteSettings = { secret, silentMinutes, redis } satisfies DetectorSettings;
    const settings = sealSettingsIfChanged(app, stored, siteSettings, detectorSealContext(name));
    if (settings === stored) continue;
    await detectorPut(queries, { name, settings });
    await reconcilerSignal(queries, 'detector-redis');
  }
  await storeNullroutePolicy(queries, site.nullroutes);
  await applyRouter(app, queries, site);
}

async function applyRouter(app: App, queries: Queries, { nullroutes }: Site): Promise<void> {
  if (nullroutes?.router === undefined) return routerRemove(queries, routerName);
  const { driver } = nullroutes.router;
  const stored = await routerFind(queries, routerName);
  const settings = sealSettingsIfChanged(app, stored?.settings, nullroutes.router.settings, routerName);
  const row = { name: routerName, driver, settings };
  if (differs(stored, row)) await routerPut(queries, row);
}

export function* checkAttacks({ detectors = [], nullroutes }: Site): Iterable<SiteProblem> {
  const isDuplicate = createDuplicateCheck();
  for (const [index, detector] of detectors.entries()) {
    const path = ['detectors', index];
    if (isDuplicate('detector', detector.name))
      yield [[...path, 'name'], `detector ${detector.name} is defined twice; give each detector its own name`];
    yield* checkDetectorSecrets(path, detector);
  }
  if (nullroutes === undefined) return;
  const { policy, threshold = {}, router } = nullroutes;
  if (policy !== 'never' && router === undefined)
    yield [['nullroutes'], `policy ${policy} needs a router; add router, or set policy to never`];
  if (policy === 'automatic' && Object.keys(threshold).length === 0)
    yield [['nullroutes'], 'policy automatic needs a threshold; add packetsPerSecond or bitsPerSecond'];
  if (router !== undefined) yield* checkDriver(['nullroutes', 'router'], routeSettings, router);
}

function* checkDetectorSecrets(path: SitePath, { secret, redis }: SiteDetector): Iterable<SiteProblem> {
  if (parseReference(secret) === undefined && hookSecret(secret) === undefined)
    yield [[...path, 'secret'], 'secret must be whsec_ followed by at least 16 bytes in base64'];
  if (redis !== undefined && parseReference(redis.url) === undefined && !/^rediss?:\/\//.test(redis.url))
    yield [[...path, 'redis', 'url'], 'url must start with redis:// or rediss://'];
}
