// v2: announced maintenance.
import type { maintenanceV2 } from '#contract/v2/maintenance.ts';
import { maintenanceGet } from '#app/operator/maintenance.ts';
import type { HandlersOf } from '../handler.ts';

export const maintenanceV2Handlers: HandlersOf<typeof maintenanceV2> = {
  maintenanceGet: (context) => maintenanceGet(context),
};
