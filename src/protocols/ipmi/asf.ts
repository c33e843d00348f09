// The ASF presence ping: the cheapest request, and it needs no password.
import { byteOf, field, flag, layout, reserved, trailer, uint32, type Bits, type Decoded } from './codec.ts';

export const asfType = { presencePong: 0x40, presencePing: 0x80 } as const;

const ipmiSupported = 0x81;
const asfOnly = 0x01;
const supportsIpmi: Bits<boolean> = { ...flag(0x80), write: (isSet) => (isSet ? ipmiSupported : asfOnly) };
/** ASF numbers are big-endian, unlike those of IPMI. */
const swapBytes = (number: number): number => uint32(number).readUInt32BE();

export type PresencePong = Decoded<typeof presencePong>;
export const presencePong = layout(
  field('enterprise', 4, swapBytes, swapBytes),
  reserved(4),
  byteOf({ supportsIpmi }),
  trailer(0, 0, 0, 0, 0, 0, 0),
);
