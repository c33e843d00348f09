// Activation and configuration of Serial-over-LAN.

import { action, decoder, uint16 } from '../codec.ts';
import type { Command } from '../codec.ts';
import { netFn } from './net-fn.ts';

export const solInstance = 1;
const solPayload = 0x01;
const encryptedAndAuthenticated = 0xc0;

export interface ActivatedPayload {
  /** The largest SOL payload, including its header, that the BMC accepts and sends. */
  inboundBytes: number;
  outboundBytes: number;
  udpPort: number;
}

export const activatePayload: Command<{ payload: number; instance: number }, ActivatedPayload> = {
  name: 'Activate Payload',
  netFn: netFn.app,
  code: 0x48,
  request: {
    encode: (request) => Buffer.from([request.payload, request.instance, encryptedAndAuthenticated, 0, 0, 0]),
    decode: decoder((reader) => {
      const request = { payload: reader.u8() & 0x3f, instance: reader.u8() & 0x0f };
      reader.u32();
      return request;
    }),
  },
  response: {
    encode: (response) =>
      Buffer.concat([
        Buffer.alloc(4),
        uint16(response.inboundBytes),
        uint16(response.outboundBytes),
        uint16(response.udpPort),
        uint16(0xffff),
      ]),
    decode: decoder((reader) => {
      reader.u32();
      const response = { inboundBytes: reader.u16(), outboundBytes: reader.u16(), udpPort: reader.u16() };
      return response;
    }),
  },
};

export const deactivatePayload = action<{ payload: number; instance: number }>('Deactivate Payload', netFn.app, 0x49, {
  encode: (request) => Buffer.from([request.payload, request.instance, 0, 0, 0, 0]),
  decode: decoder((reader) => ({ payload: reader.u8() & 0x3f, instance: reader.u8() & 0x0f })),
});

export const solRequest = { payload: solPayload, instance: solInstance };

/** Completion codes of both commands. */
export const payloadCompletion = { alreadyActive: 0x80, disabled: 0x81, limitReached: 0x82 } as const;
export const alreadyInactive = 0x80;

export const solParameter = {
  setInProgress: 0,
  enable: 1,
  authentication: 2,
  accumulate: 3,
  retry: 4,
  bitRate: 5,
} as const;

export interface SolParameter {
  channel: number;
  parameter: number;
  data: Buffer;
}

export const setSolConfiguration = action<SolParameter>('Set SOL Configuration', netFn.transport, 0x21, {
  encode: (request) => Buffer.concat([Buffer.from([request.channel, request.parameter]), request.data]),
  decode: decoder((reader) => ({ channel: reader.u8() & 0x0f, parameter: reader.u8(), data: reader.rest() })),
});

export const getSolConfiguration: Command<{ channel: number; parameter: number }, Buffer> = {
  name: 'Get SOL Configuration',
  netFn: netFn.transport,
  code: 0x22,
  request: {
    encode: (request) => Buffer.from([request.channel, request.parameter, 0, 0]),
    decode: decoder((reader) => {
      const request = { channel: reader.u8() & 0x0f, parameter: reader.u8() };
      reader.u16();
      return request;
    }),
  },
  response: {
    encode: (data) => Buffer.concat([Buffer.from([0x11]), data]),
    decode: decoder((reader) => {
      reader.u8();
      return reader.rest();
    }),
  },
};
