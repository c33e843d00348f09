// A Serial-over-LAN payload: four bytes of acknowledgement and control, then characters.

import { decoder } from './codec.ts';
import type { Codec } from './codec.ts';

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
function solCodec(bits: { isBreak: number; isDeactivating: number; isUnavailable: number }): Codec<SolPacket> {
  return {
    encode: (packet) =>
      Buffer.concat([
        Buffer.from([
          packet.sequence,
          packet.acknowledged,
          packet.acceptedCharacters,
          (packet.isNack ? 0x40 : 0) |
            (packet.isBreak ? bits.isBreak : 0) |
            (packet.isDeactivating ? bits.isDeactivating : 0) |
            (packet.isUnavailable ? bits.isUnavailable : 0),
        ]),
        packet.data,
      ]),
    decode: decoder((reader) => {
      const sequence = reader.u8() & 0x0f;
      const acknowledged = reader.u8() & 0x0f;
      const acceptedCharacters = reader.u8();
      const flags = reader.u8();
      return {
        sequence,
        acknowledged,
        acceptedCharacters,
        isNack: (flags & 0x40) !== 0,
        isBreak: (flags & bits.isBreak) !== 0,
        isDeactivating: (flags & bits.isDeactivating) !== 0,
        isUnavailable: (flags & bits.isUnavailable) !== 0,
        data: reader.rest(),
      };
    }),
  };
}

export const solFromConsole = solCodec({ isBreak: 0x10, isDeactivating: 0, isUnavailable: 0 });
export const solFromBmc = solCodec({ isBreak: 0x04, isDeactivating: 0x10, isUnavailable: 0x20 });
