// v2: metrics of an account's services.
import type { metricsV2 } from '#contract/v2/metrics.ts';
import { exportMetrics } from '#app/machines/metrics.ts';
import type { HandlersOf } from '../handler.ts';

export const metricsHandlers: HandlersOf<typeof metricsV2> = {
  metricsGet: (context) => exportMetrics(context),
};
