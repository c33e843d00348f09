// Device identification and cold reset of the BMC.

import { action, decoder, nothing, uint16, uint32 } from '../codec.ts';
import type { Command } from '../codec.ts';
import { netFn } from './net-fn.ts';

export interface DeviceId {
  deviceId: number;
  deviceRevision: number;
  /** Formatted, such as "2.17"; the minor part is encoded in BCD. */
  firmware: string;
  ipmiVersion: string;
  supportsChassis: boolean;
  supportsFru: boolean;
  supportsSdr: boolean;
  manufacturerId: number;
  productId: number;
}

const supportBits = { chassis: 0x80, fru: 0x08, sdr: 0x02 };

export const getDeviceId: Command<null, DeviceId> = {
  name: 'Get Device ID',
  netFn: netFn.app,
  code: 0x01,
  request: nothing,
  response: {
    encode: (id) => {
      const [major = '0', minor = '0'] = id.firmware.split('.');
      const [ipmiMajor = '2', ipmiMinor = '0'] = id.ipmiVersion.split('.');
      return Buffer.concat([
        Buffer.from([
          id.deviceId,
          id.deviceRevision,
          Number(major),
          Number.parseInt(minor, 16),
          Number(ipmiMajor) | (Number(ipmiMinor) << 4),
          (id.supportsChassis ? supportBits.chassis : 0) |
            (id.supportsFru ? supportBits.fru : 0) |
            (id.supportsSdr ? supportBits.sdr : 0),
        ]),
        uint32(id.manufacturerId).subarray(0, 3),
        uint16(id.productId),
      ]);
    },
    decode: decoder((reader) => {
      const deviceId = reader.u8();
      const deviceRevision = reader.u8() & 0x0f;
      const major = reader.u8() & 0x7f;
      const minor = reader.u8().toString(16).padStart(2, '0');
      const version = reader.u8();
      const support = reader.u8();
      return {
        deviceId,
        deviceRevision,
        firmware: `${major}.${minor}`,
        ipmiVersion: `${version & 0x0f}.${version >> 4}`,
        supportsChassis: (support & supportBits.chassis) !== 0,
        supportsFru: (support & supportBits.fru) !== 0,
        supportsSdr: (support & supportBits.sdr) !== 0,
        manufacturerId: reader.u24(),
        productId: reader.u16(),
      };
    }),
  },
};

export const coldReset = action('Cold Reset', netFn.app, 0x02, nothing);
