// Device identification and cold reset of the BMC.
import {
  bits,
  byteOf,
  command,
  field,
  flag,
  layout,
  netFn,
  nothing,
  rest,
  u16,
  u24,
  u8,
  type Decoded,
} from '../codec.ts';

/** Such as "2.17"; the minor part is encoded in BCD. */
const firmware = field(
  'firmware',
  2,
  (version: string) => {
    const [major = '0', minor = '0'] = version.split('.');
    return Number(major) | (Number.parseInt(minor, 16) << 8);
  },
  (number) => `${number & 0x7f}.${(number >> 8).toString(16).padStart(2, '0')}`,
);

const ipmiVersion = field(
  'ipmiVersion',
  1,
  (version: string) => {
    const [major = '2', minor = '0'] = version.split('.');
    return Number(major) | (Number(minor) << 4);
  },
  (number) => `${number & 0x0f}.${number >> 4}`,
);

const deviceId = layout(
  u8('deviceId'),
  byteOf({ deviceRevision: bits(4) }),
  firmware,
  ipmiVersion,
  byteOf({ supportsChassis: flag(0x80), supportsFru: flag(0x08), supportsSdr: flag(0x02) }),
  u24('manufacturerId'),
  u16('productId'),
  // More of the firmware version, in the vendor's format; empty on many BMCs.
  rest('auxiliary', 4),
);
export type DeviceId = Decoded<typeof deviceId>;

export const getDeviceId = command('Get Device ID', netFn.app, 0x01, nothing, deviceId);

export const coldReset = command('Cold Reset', netFn.app, 0x02, nothing, nothing);
