// A Serial-over-LAN payload: four bytes of acknowledgement and control, then characters.

import { decoder } from './codec.ts';
import type { Codec } from './codec.ts';

export interface SolPacket {
  /** 1 to 15; 0 for a packet that carries no characters and wants no acknowledgement. */
  sequence: number;
  /** The packet that is acknowledged, or 0. */
  acknowledged: number;
  acceptedCharacters: number;
  /** The other end refuses the characters it acknowledges with this packet. */
  isRefusal: boolean;
  /** From the console: send a break. From the BMC: a break was seen. */
  isBreak: boolean;
  /** From the BMC: the console is being deactivated. */
  isDeactivating: boolean;
  /** From the BMC: characters cannot be passed on now (the system is off, for one). */
  isUnavailable: boolean;
  data: Buffer;
}

/** One bit means "break" from the console and another from the BMC, so each end has its codec. */
function solCodec(bits: { isBreak: number; isDeactivating: number; isUnavailable: number }): Codec<SolPacket> {
  return {
    encode: (packet) =>
      Buffer.concat([
        Buffer.from([
          packet.sequence,
          packet.acknowledged,
          packet.acceptedCharacters,
          (packet.isRefusal ? 0x40 : 0) |
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
        isRefusal: (flags & 0x40) !== 0,
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
