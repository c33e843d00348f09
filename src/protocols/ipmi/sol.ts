// A Serial-over-LAN payload: four bytes of acknowledgement and control, then characters.
import { bits, byteOf, flag, layout, rest, u8, type Codec } from './codec.ts';

export interface SolPacket {
  /** 1 to 15; 0 for a packet without characters, which is not acknowledged. */
  sequence: number;
  /** The sequence number of the acknowledged packet, or 0. */
  acknowledged: number;
  acceptedCharacters: number;
  /** NACK: the other end rejects characters of the acknowledged packet. */
  isNack: boolean;
  /** From the console: generate a break. From the BMC: a break was detected. */
  isBreak: boolean;
  /** From the BMC: the console is being deactivated. */
  isDeactivating: boolean;
  /** From the BMC: characters cannot be forwarded, for example because the system is off. */
  isUnavailable: boolean;
  data: Buffer;
}

/** Break is a different bit in each direction, so each end has its codec. */
function solCodec(masks: { isBreak: number; isDeactivating: number; isUnavailable: number }): Codec<SolPacket> {
  return layout(
    byteOf({ sequence: bits(4) }),
    byteOf({ acknowledged: bits(4) }),
    u8('acceptedCharacters'),
    byteOf({
      isNack: flag(0x40),
      isBreak: flag(masks.isBreak),
      isDeactivating: flag(masks.isDeactivating),
      isUnavailable: flag(masks.isUnavailable),
    }),
    rest('data'),
  );
}

export const solFromConsole = solCodec({ isBreak: 0x10, isDeactivating: 0, isUnavailable: 0 });
export const solFromBmc = solCodec({ isBreak: 0x04, isDeactivating: 0x10, isUnavailable: 0x20 });
