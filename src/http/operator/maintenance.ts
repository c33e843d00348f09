// Operator API: planned maintenance.
import type { maintenanceOperator } from '#contract/operator/maintenance.ts';
import * as maintenance from '#app/operator/maintenance.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const maintenanceHandlers: HandlersOf<typeof maintenanceOperator> = {
  maintenanceList: maintenance.maintenanceList,
  maintenanceCreate: maintenance.maintenanceCreate,
  maintenanceUpdate: respondWith('Maintenance Changed', maintenance.maintenanceUpdate),
  maintenanceAnnounce: respondWith('Maintenance Announced', (context, { id }) =>
    maintenance.maintenanceAnnounce(context, id),
  ),
  maintenanceCancel: respondWith('Maintenance Cancelled', (context, { id }) =>
    maintenance.maintenanceCancel(context, id),
  ),
  maintenanceComplete: respondWith('Maintenance Completed', (context, { id }) =>
    maintenance.maintenanceComplete(context, id),
  ),
};
