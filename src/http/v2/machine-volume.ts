// v2: volumes of virtual machines.
import type { machineVolumeV2 } from '#contract/v2/machine-volume.ts';
import {
  attachVolume,
  createVolume,
  deleteVolume,
  detachVolume,
  listVolumes,
  resizeVolume,
} from '#app/machines/volumes.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const machineVolumeHandlers: HandlersOf<typeof machineVolumeV2> = {
  volumeList: (context, { service }) => listVolumes(context, service),
  volumeCreate: createVolume,
  volumeResize: resizeVolume,
  volumeDelete: respondWith('Volume Deleted', deleteVolume),
  volumeAttach: attachVolume,
  volumeDetach: (context, { id }) => detachVolume(context, id),
};
