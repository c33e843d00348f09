// The six messages that open an RMCP+ session: Open Session and RAKP 1 to 4. A status other than 0 ends a message
// early, so each response is either complete, with status 0, or only the status.

import { decoder, uint32 } from './codec.ts';
import type { Codec, Reader } from './codec.ts';
import type { Algorithms } from './suite.ts';

export const rakpStatus = {
  ok: 0x00,
  insufficientResources: 0x01,
  invalidSessionId: 0x02,
  invalidAuthentication: 0x04,
  invalidIntegrity: 0x05,
  invalidRole: 0x09,
  unauthorizedRole: 0x0a,
  insufficientResourcesForRole: 0x0b,
  unauthorizedName: 0x0d,
  unauthorizedGuid: 0x0e,
  invalidIntegrityCheck: 0x0f,
  invalidConfidentiality: 0x10,
  noMatchingSuite: 0x11,
  illegalParameter: 0x12,
} as const;

export interface OpenSessionRequest extends Algorithms {
  tag: number;
  privilege: number;
  consoleSessionId: number;
}

interface Rejection {
  tag: number;
  status: number;
  consoleSessionId: number;
}

export interface OpenSessionAccepted extends Algorithms {
  tag: number;
  status: 0;
  privilege: number;
  consoleSessionId: number;
  bmcSessionId: number;
}

export interface Rakp1 {
  tag: number;
  bmcSessionId: number;
  consoleRandom: Buffer;
  /** Privilege in bits 3:0; bit 4 means user lookup by name only. */
  role: number;
  username: string;
}

export interface Rakp2Accepted {
  tag: number;
  status: 0;
  consoleSessionId: number;
  bmcRandom: Buffer;
  bmcGuid: Buffer;
  keyExchangeCode: Buffer;
}

export interface Rakp3 {
  tag: number;
  status: number;
  bmcSessionId: number;
  keyExchangeCode: Buffer;
}

export interface Rakp4Accepted {
  tag: number;
  status: 0;
  consoleSessionId: number;
  integrityCheck: Buffer;
}

export type OpenSessionResponse = OpenSessionAccepted | Rejection;
export type Rakp2 = Rakp2Accepted | Rejection;
export type Rakp4 = Rakp4Accepted | Rejection;

export function isAccepted<Accepted extends { status: 0 }>(response: Accepted | Rejection): response is Accepted {
  return response.status === 0;
}

function encodeAlgorithms(algorithms: Algorithms): Buffer {
  const record = (kind: number, algorithm: number): number[] => [kind, 0, 0, 8, algorithm, 0, 0, 0];
  return Buffer.from([
    ...record(0, algorithms.authentication),
    ...record(1, algorithms.integrity),
    ...record(2, algorithms.confidentiality),
  ]);
}

function readAlgorithms(reader: Reader): Algorithms | undefined {
  const records = [0, 1, 2].map((kind) => {
    const bytes = reader.bytes(8);
    return bytes[0] === kind ? (bytes[4] ?? 0) & 0x3f : undefined;
  });
  const [authentication, integrity, confidentiality] = records;
  if (authentication === undefined || integrity === undefined || confidentiality === undefined) return undefined;
  return { authentication, integrity, confidentiality };
}

function encodeRejection(rejection: Rejection): Buffer {
  return Buffer.concat([Buffer.from([rejection.tag, rejection.status, 0, 0]), uint32(rejection.consoleSessionId)]);
}

export const openSessionRequest: Codec<OpenSessionRequest> = {
  encode: (request) =>
    Buffer.concat([
      Buffer.from([request.tag, request.privilege, 0, 0]),
      uint32(request.consoleSessionId),
      encodeAlgorithms(request),
    ]),
  decode: decoder((reader) => {
    const tag = reader.u8();
    const privilege = reader.u8() & 0x0f;
    reader.u16();
    const consoleSessionId = reader.u32();
    const algorithms = readAlgorithms(reader);
    return algorithms && { tag, privilege, consoleSessionId, ...algorithms };
  }),
};

export const openSessionResponse: Codec<OpenSessionResponse> = {
  encode: (response) =>
    isAccepted(response)
      ? Buffer.concat([
          Buffer.from([response.tag, 0, response.privilege, 0]),
          uint32(response.consoleSessionId),
          uint32(response.bmcSessionId),
          encodeAlgorithms(response),
        ])
      : encodeRejection(response),
  decode: decoder((reader): OpenSessionResponse | undefined => {
    const tag = reader.u8();
    const status = reader.u8();
    const privilege = reader.u8() & 0x0f;
    reader.u8();
    const consoleSessionId = reader.u32();
    if (status !== 0) return { tag, status, consoleSessionId };
    const bmcSessionId = reader.u32();
    const algorithms = readAlgorithms(reader);
    return algorithms && { tag, status: 0, privilege, consoleSessionId, bmcSessionId, ...algorithms };
  }),
};

export const rakp1: Codec<Rakp1> = {
  encode: (message) => {
    const username = Buffer.from(message.username, 'latin1');
    return Buffer.concat([
      Buffer.from([message.tag, 0, 0, 0]),
      uint32(message.bmcSessionId),
      message.consoleRandom,
      Buffer.from([message.role, 0, 0, username.length]),
      username,
    ]);
  },
  decode: decoder((reader) => {
    const tag = reader.u8();
    reader.bytes(3);
    const bmcSessionId = reader.u32();
    const consoleRandom = reader.bytes(16);
    const role = reader.u8();
    reader.u16();
    const length = reader.u8();
    if (length > 16) return undefined;
    return { tag, bmcSessionId, consoleRandom, role, username: reader.bytes(length).toString('latin1') };
  }),
};

export const rakp2: Codec<Rakp2> = {
  encode: (response) =>
    isAccepted(response)
      ? Buffer.concat([
          Buffer.from([response.tag, 0, 0, 0]),
          uint32(response.consoleSessionId),
          response.bmcRandom,
          response.bmcGuid,
          response.keyExchangeCode,
        ])
      : encodeRejection(response),
  decode: decoder((reader): Rakp2 => {
    const tag = reader.u8();
    const status = reader.u8();
    reader.u16();
    const consoleSessionId = reader.u32();
    if (status !== 0) return { tag, status, consoleSessionId };
    return {
      tag,
      status: 0,
      consoleSessionId,
      bmcRandom: reader.bytes(16),
      bmcGuid: reader.bytes(16),
      keyExchangeCode: reader.rest(),
    };
  }),
};

export const rakp3: Codec<Rakp3> = {
  encode: (message) =>
    Buffer.concat([
      Buffer.from([message.tag, message.status, 0, 0]),
      uint32(message.bmcSessionId),
      message.keyExchangeCode,
    ]),
  decode: decoder((reader) => {
    const tag = reader.u8();
    const status = reader.u8();
    reader.u16();
    return { tag, status, bmcSessionId: reader.u32(), keyExchangeCode: reader.rest() };
  }),
};

export const rakp4: Codec<Rakp4> = {
  encode: (response) =>
    isAccepted(response)
      ? Buffer.concat([
          Buffer.from([response.tag, 0, 0, 0]),
          uint32(response.consoleSessionId),
          response.integrityCheck,
        ])
      : encodeRejection(response),
  decode: decoder((reader): Rakp4 => {
    const tag = reader.u8();
    const status = reader.u8();
    reader.u16();
    const consoleSessionId = reader.u32();
    if (status !== 0) return { tag, status, consoleSessionId };
    return { tag, status: 0, consoleSessionId, integrityCheck: reader.rest() };
  }),
};
