// The six messages that open an RMCP+ session: Open Session and RAKP 1 to 4. A status other than 0 ends a message
// early, so each response is either complete, with status 0, or only the status.
import {
  bits,
  byteOf,
  binary,
  field,
  layout,
  reserved,
  rest,
  u32,
  u8,
  type Codec,
  type Decoded,
  type Part,
} from './codec.ts';
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

interface Rejection {
  tag: number;
  status: number;
  consoleSessionId: number;
}

export function isAccepted<Accepted extends { status: 0 }>(response: Accepted | Rejection): response is Accepted {
  return response.status === 0;
}

const rejection: Codec<Rejection> = layout(u8('tag'), u8('status'), reserved(2), u32('consoleSessionId'));

/** A response that is complete, with the layout of `accepted`, or only a status other than 0. */
function responseCodec<Accepted extends Rejection & { status: 0 }>(
  accepted: Codec<Accepted>,
): Codec<Accepted | Rejection> {
  return {
    encode: (value) => (isAccepted(value) ? accepted.encode(value) : rejection.encode(value)),
    decode(payload) {
      const value = rejection.decode(payload);
      return value?.status === 0 ? accepted.decode(payload) : value;
    },
  };
}

const statusOk = field('status', 1, Number, () => 0 as const);
const privilege = byteOf({ privilege: bits(4) });

/** The kind of an algorithm is checked, because algorithms of another kind would have other numbers. */
function algorithm<Name extends keyof Algorithms>(name: Name, kind: number): Part<Record<Name, number>> {
  return {
    write: (fields) => Buffer.from([kind, 0, 0, 8, fields[name], 0, 0, 0]),
    read(reader, fields) {
      const record = reader.bytes(8);
      if (record[0] !== kind) reader.fail();
      fields[name] = (record[4] ?? 0) & 0x3f;
    },
  };
}
const algorithms = [
  algorithm('authentication', 0),
  algorithm('integrity', 1),
  algorithm('confidentiality', 2),
] as const;

export type OpenSessionRequest = Decoded<typeof openSessionRequest>;
export const openSessionRequest = layout(u8('tag'), privilege, reserved(2), u32('consoleSessionId'), ...algorithms);

export const openSessionResponse = responseCodec(
  layout(u8('tag'), statusOk, privilege, reserved(1), u32('consoleSessionId'), u32('bmcSessionId'), ...algorithms),
);

const maxNameBytes = 16;
const username: Part<{ username: string }> = {
  write(fields) {
    const name = Buffer.from(fields.username, 'latin1');
    return Buffer.concat([Buffer.from([name.length]), name]);
  },
  read(reader, fields) {
    const length = reader.uint(1);
    if (length > maxNameBytes) reader.fail();
    fields.username = reader.bytes(length).toString('latin1');
  },
};

/** `role` has the privilege in bits 3:0; bit 4 means user lookup by name only. */
export const rakp1 = layout(
  u8('tag'),
  reserved(3),
  u32('bmcSessionId'),
  binary('consoleRandom', 16),
  u8('role'),
  reserved(2),
  username,
);

export const rakp2 = responseCodec(
  layout(
    u8('tag'),
    statusOk,
    reserved(2),
    u32('consoleSessionId'),
    binary('bmcRandom', 16),
    binary('bmcGuid', 16),
    rest('keyExchangeCode'),
  ),
);

export const rakp3 = layout(u8('tag'), u8('status'), reserved(2), u32('bmcSessionId'), rest('keyExchangeCode'));

export const rakp4 = responseCodec(
  layout(u8('tag'), statusOk, reserved(2), u32('consoleSessionId'), rest('integrityCheck')),
);
