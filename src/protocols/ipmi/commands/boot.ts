// System boot options. Parameter 5 is the boot device; parameter 0 is the "set in progress" lock around a change.

import { action, decoder } from '../codec.ts';
import type { Codec, Command } from '../codec.ts';
import { netFn } from './net-fn.ts';

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

export interface BootFlags {
  /** False if the next boot ignores these flags. */
  isValid: boolean;
  device: BootDevice;
  isPersistent: boolean;
  isUefi: boolean;
}

export const bootParameter = { setInProgress: 0, validBitClearing: 3, infoAcknowledge: 4, bootFlags: 5 } as const;
export const setProgress = { complete: 0, inProgress: 1 } as const;

export const bootFlags: Codec<BootFlags> = {
  encode: (flags) =>
    Buffer.from([
      (flags.isValid ? 0x80 : 0) | (flags.isPersistent ? 0x40 : 0) | (flags.isUefi ? 0x20 : 0),
      bootDevices[flags.device] << 2,
      0,
      0,
      0,
    ]),
  decode: decoder((reader) => {
    const first = reader.u8();
    const code = (reader.u8() >> 2) & 0x0f;
    reader.bytes(3);
    const device = (Object.keys(bootDevices) as BootDevice[]).find((name) => bootDevices[name] === code);
    return (
      device && {
        isValid: (first & 0x80) !== 0,
        isPersistent: (first & 0x40) !== 0,
        isUefi: (first & 0x20) !== 0,
        device,
      }
    );
  }),
};

export interface BootParameter {
  parameter: number;
  data: Buffer;
}

export const setBootOptions = action<BootParameter>('Set System Boot Options', netFn.chassis, 0x08, {
  encode: (request) => Buffer.concat([Buffer.from([request.parameter]), request.data]),
  decode: decoder((reader) => ({ parameter: reader.u8() & 0x7f, data: reader.rest() })),
});

export const getBootOptions: Command<{ parameter: number }, BootParameter> = {
  name: 'Get System Boot Options',
  netFn: netFn.chassis,
  code: 0x09,
  request: {
    encode: (request) => Buffer.from([request.parameter, 0, 0]),
    decode: decoder((reader) => {
      const parameter = reader.u8() & 0x7f;
      reader.u16();
      return { parameter };
    }),
  },
  response: {
    encode: (response) => Buffer.concat([Buffer.from([0x01, response.parameter]), response.data]),
    decode: decoder((reader) => {
      reader.u8();
      return { parameter: reader.u8() & 0x7f, data: reader.rest() };
    }),
  },
};
