// Connects the reconcilers for attacks and null routes to the app, which they cannot import.
import { createAttackWatch } from '#app/network/attack-watch.ts';
import { readInformation } from '#app/network/detection.ts';
import { detectionRecorder } from '#app/network/detections.ts';
import { listDetectors } from '#app/network/detectors.ts';
import { expireNullroutes } from '#app/network/nullroutes.ts';
import type { App } from '#app/app.ts';
import { attackWatcher } from '#reconcilers/attack-watch.ts';
import { detectorRedis } from '#reconcilers/detector-redis.ts';
import type { Reconciler } from '#reconcilers/reconciler.ts';
import { routes } from '#reconcilers/routes.ts';

export function networkReconcilers(app: App): Reconciler[] {
  const record = detectionRecorder(app);
  return [
    routes({ ...app, router: app.router, expire: () => expireNullroutes(app) }),
    attackWatcher(createAttackWatch(app)),
    detectorRedis({
      log: app.log,
      detectors: async () =>
        (await listDetectors(app, app.store.queries)).flatMap(({ name, redis }) =>
          redis === undefined ? [] : [{ name, ...redis }],
        ),
      async record(detector, { text }) {
        const detection = readInformation(detector, text, app.clock.now());
        if (detection !== undefined) await record(detection);
      },
    }),
  ];
}
