// Volumes of virtual machines, our addition.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { described, text } from './text.ts';

const volumeStates = ['Creating', 'Ready', 'Changing', 'Deleting'] as const;
export const maxVolumes = 100;
export const maxVolumesPerMachine = 10;
export const maxVolumeGb = 4096;
/** Of all volumes of an account together. */
export const maxVolumesGb = 16_384;

export const Volume = Type.Object({
  id: text,
  name: text,
  size: described('In GB'),
  state: Type.Enum(volumeStates, { description: 'Changing while it is attached, detached or resized' }),
  service: described('The machine that it is attached to, or was last attached to'),
  attached: Type.Boolean(),
  path: described(
    'Path of the disk in a machine with its own kernel, such as /dev/disk/by-id/virtio-vol-5, or of the directory in a container, such as /mnt/vol-5',
  ),
  created: Moment,
});

export const StartedVolume = Type.Object({
  ...Volume.properties,
  action: described('The action that changes it'),
});
