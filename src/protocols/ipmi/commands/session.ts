// Session commands, and what a channel offers before a session.

import { action, decoder, uint32 } from '../codec.ts';
import type { Codec, Command } from '../codec.ts';
import { netFn } from './net-fn.ts';

export const privileges = { callback: 1, user: 2, operator: 3, administrator: 4 } as const;
export type Privilege = keyof typeof privileges;

export function privilegeName(code: number): Privilege | undefined {
  return (Object.keys(privileges) as Privilege[]).find((name) => privileges[name] === code);
}

/** The channel that the request arrived on. */
export const currentChannel = 0x0e;

export const byte: Codec<number> = {
  encode: (value) => Buffer.from([value]),
  decode: decoder((reader) => reader.u8()),
};

export const setSessionPrivilege: Command<number, number> = {
  name: 'Set Session Privilege Level',
  netFn: netFn.app,
  code: 0x3b,
  request: byte,
  response: byte,
};

export const closeSession = action('Close Session', netFn.app, 0x3c, {
  encode: uint32,
  decode: decoder((reader) => reader.u32()),
});

export interface ChannelCapabilities {
  channel: number;
  supportsRmcpPlus: boolean;
  isKgSet: boolean;
}

/** Requests extended capabilities by bit 7 of the channel. */
export const getChannelAuthenticationCapabilities: Command<
  { channel: number; privilege: number },
  ChannelCapabilities
> = {
  name: 'Get Channel Authentication Capabilities',
  netFn: netFn.app,
  code: 0x38,
  request: {
    encode: (request) => Buffer.from([0x80 | request.channel, request.privilege]),
    decode: decoder((reader) => ({ channel: reader.u8() & 0x0f, privilege: reader.u8() & 0x0f })),
  },
  response: {
    encode: (capabilities) =>
      Buffer.from([
        capabilities.channel,
        capabilities.supportsRmcpPlus ? 0x80 : 0,
        // Bit 2: there are named users. Anonymous login is never offered.
        (capabilities.isKgSet ? 0x20 : 0) | 0x04,
        capabilities.supportsRmcpPlus ? 0x02 : 0x01,
        0,
        0,
        0,
        0,
      ]),
    decode: decoder((reader) => {
      const channel = reader.u8() & 0x0f;
      reader.u8();
      const status = reader.u8();
      const extended = reader.u8();
      return { channel, supportsRmcpPlus: (extended & 0x02) !== 0, isKgSet: (status & 0x20) !== 0 };
    }),
  },
};

/** The list of cipher suites is split into pieces of 16 bytes; a shorter piece is the last. */
export const suitePieceBytes = 16;

export const getChannelCipherSuites: Command<{ channel: number; piece: number }, { channel: number; records: Buffer }> =
  {
    name: 'Get Channel Cipher Suites',
    netFn: netFn.app,
    code: 0x54,
    request: {
      encode: (request) => Buffer.from([request.channel, 0, 0x80 | request.piece]),
      decode: decoder((reader) => {
        const channel = reader.u8() & 0x0f;
        reader.u8();
        return { channel, piece: reader.u8() & 0x3f };
      }),
    },
    response: {
      encode: (response) => Buffer.concat([Buffer.from([response.channel]), response.records]),
      decode: decoder((reader) => ({
        channel: reader.u8() & 0x0f,
        records: reader.rest().subarray(0, suitePieceBytes),
      })),
    },
  };
