// The ASF presence ping: the cheapest request, and it needs no password.

import { decoder, uint32 } from './codec.ts';

export const asfType = { presencePong: 0x40, presencePing: 0x80 } as const;

export interface PresencePong {
  enterprise: number;
  supportsIpmi: boolean;
}

const ipmiSupported = 0x81;
const asfOnly = 0x01;

export const presencePong = {
  encode: (pong: PresencePong): Buffer =>
    Buffer.concat([
      uint32(pong.enterprise).swap32(),
      uint32(0),
      Buffer.from([pong.supportsIpmi ? ipmiSupported : asfOnly, 0, 0, 0, 0, 0, 0, 0]),
    ]),
  decode: decoder((reader): PresencePong => {
    const enterprise = reader.bytes(4);
    reader.u32();
    const entities = reader.u8();
    return {
      enterprise: enterprise.length === 4 ? enterprise.readUInt32BE() : 0,
      supportsIpmi: (entities & 0x80) !== 0,
    };
  }),
};
