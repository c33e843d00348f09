// Operator API: migration of machines, maintenance and evacuation of hypervisors.
import type { migrationOperator } from '#contract/operator/migration.ts';
import {
  cancelEvacuation,
  evacuationGet,
  nodeMembers,
  setNodeMaintenance,
  startEvacuation,
} from '#app/machines/evacuation.ts';
import { cancelMigration, migrationList, startMigration } from '#app/machines/migration.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const migrationHandlers: HandlersOf<typeof migrationOperator> = {
  nodeMaintenance: respondWith('Maintenance Updated', setNodeMaintenance),
  nodeEvacuate: respondWith('Evacuation Started', startEvacuation),
  nodeEvacuationCancel: respondWith('Evacuation Cancelled', (context, { name }) => cancelEvacuation(context, name)),
  nodeEvacuationGet: (context, { name }) => evacuationGet(context, name),
  nodeMembers: (context, { name }) => nodeMembers(context, name),
  machineMigrate: startMigration,
  machineMigrateCancel: respondWith('Migration Cancelled', (context, { device }) => cancelMigration(context, device)),
  migrationList,
};
