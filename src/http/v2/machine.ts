// v2: virtual machines that customers order and delete, and groups of them.
import type { machineV2 } from '#contract/v2/machine.ts';
import { machineDelete, machineRestore } from '#app/machines/deletion.ts';
import { machineGroupCreate, machineGroupDelete, machineGroupList } from '#app/machines/groups.ts';
import { machineCreate, machineOptions } from '#app/machines/order.ts';
import { machineList, machineProtectionSet } from '#app/machines/own-machines.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const machineHandlers: HandlersOf<typeof machineV2> = {
  machineOptions,
  machineList,
  machineCreate,
  machineDelete,
  machineRestore: respondWith('Machine Restored', (context, { service }) => machineRestore(context, service)),
  machineProtectionSet: respondWith('Protection Changed', machineProtectionSet),
  machineGroupList,
  machineGroupCreate: (context, { name }) => machineGroupCreate(context, name),
  machineGroupDelete: respondWith('Group Deleted', (context, { id }) => machineGroupDelete(context, id)),
};
