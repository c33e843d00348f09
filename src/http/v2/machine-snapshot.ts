// v2: snapshots, images and sizes of virtual machines.
import type { machineImageV2 } from '#contract/v2/machine-image.ts';
import type { machineSizeV2 } from '#contract/v2/machine-size.ts';
import type { machineSnapshotV2 } from '#contract/v2/machine-snapshot.ts';
import { machineImageCreate, machineImageDelete, machineImageList } from '#app/machines/images.ts';
import { machineSizeGet, machineSizeSet } from '#app/machines/resize.ts';
import {
  machineSnapshotCreate,
  machineSnapshotDelete,
  machineSnapshotList,
  machineSnapshotRestore,
} from '#app/machines/snapshots.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const machineSnapshotHandlers: HandlersOf<
  typeof machineSnapshotV2 & typeof machineImageV2 & typeof machineSizeV2
> = {
  machineSnapshotList: (context, { service }) => machineSnapshotList(context, service),
  machineSnapshotCreate,
  machineSnapshotDelete: respondWith('Snapshot Deleted', machineSnapshotDelete),
  machineSnapshotRestore,
  machineImageList: (context) => machineImageList(context),
  machineImageCreate,
  machineImageDelete: respondWith('Image Deleted', (context, { id }) => machineImageDelete(context, id)),
  machineSizeGet: (context, { service }) => machineSizeGet(context, service),
  machineSizeSet,
};
