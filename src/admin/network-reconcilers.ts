// The reconcilers behind attacks and null-routes, with what they need of the rooms above them.
import { attackWatch } from '#app/network/attack-watch.ts';
import { readInformation } from '#app/network/detection.ts';
import { detectionRecorder } from '#app/network/detections.ts';
import { detectorsAll } from '#app/network/detectors.ts';
import { nullroutesExpire } from '#app/network/nullroutes.ts';
import type { Yard } from '#app/yard.ts';
import { attackWatcher } from '#reconcilers/attack-watch.ts';
import { detectorRedis } from '#reconcilers/detector-redis.ts';
import type { Reconciler } from '#reconcilers/reconciler.ts';
import { routes } from '#reconcilers/routes.ts';

export function networkReconcilers(yard: Yard): Reconciler[] {
  const record = detectionRecorder(yard);
  return [
    routes({ ...yard, router: yard.router, expire: () => nullroutesExpire(yard) }),
    attackWatcher(attackWatch(yard)),
    detectorRedis({
      log: yard.log,
      detectors: async () =>
        (await detectorsAll(yard, yard.store.queries)).flatMap(({ name, redis }) =>
          redis === undefined ? [] : [{ name, ...redis }],
        ),
      async record(detector, { text }) {
        const detection = readInformation(detector, text, yard.clock.now());
        if (detection !== undefined) await record(detection);
      },
    }),
  ];
}
