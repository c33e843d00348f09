// System boot options. Parameter 5 is the boot device; parameter 0 is the "set in progress" lock around a change.
import {
  bits,
  byteOf,
  choice,
  command,
  constant,
  flag,
  layout,
  netFn,
  nothing,
  reserved,
  rest,
  type Decoded,
} from '../codec.ts';

export const bootDevices = {
  none: 0,
  pxe: 1,
  disk: 2,
  diskSafeMode: 3,
  diagnosticPartition: 4,
  cdrom: 5,
  bios: 6,
  remoteFloppy: 7,
  remoteCdrom: 8,
  remotePrimaryMedia: 9,
  remoteDisk: 11,
  floppy: 15,
} as const;
export type BootDevice = keyof typeof bootDevices;

export const bootParameter = { setInProgress: 0, validBitClearing: 3, infoAcknowledge: 4, bootFlags: 5 } as const;
export const setProgress = { complete: 0, inProgress: 1 } as const;

export type BootFlags = Decoded<typeof bootFlags>;
/** The next boot ignores flags that are not valid. */
export const bootFlags = layout(
  byteOf({ isValid: flag(0x80), isPersistent: flag(0x40), isUefi: flag(0x20) }),
  byteOf({ device: choice(bootDevices, bits(4, 2)) }),
  reserved(3),
);

const parameter = byteOf({ parameter: bits(7) });

export const setBootOptions = command(
  'Set System Boot Options',
  netFn.chassis,
  0x08,
  layout(parameter, rest('data')),
  nothing,
);

export const getBootOptions = command(
  'Get System Boot Options',
  netFn.chassis,
  0x09,
  layout(parameter, reserved(2)),
  layout(constant(0x01), parameter, rest('data')),
);
