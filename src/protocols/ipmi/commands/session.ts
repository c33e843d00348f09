// Session commands, and what a channel offers before a session.
import {
  bits,
  singleByte,
  byteOf,
  command,
  decoder,
  flag,
  layout,
  netFn,
  nothing,
  reserved,
  rest,
  trailer,
  u8,
  uint32,
  type Bits,
  type Codec,
} from '../codec.ts';

export const privileges = { callback: 1, user: 2, operator: 3, administrator: 4 } as const;
export type Privilege = keyof typeof privileges;

/** The channel that the request arrived on. */
export const currentChannel = 0x0e;

export const setSessionPrivilege = command('Set Session Privilege Level', netFn.app, 0x3b, singleByte, singleByte);

/** A session by its id, or by the handle that Get Session Info returns. */
type SessionToClose = { id: number } | { handle: number };
const sessionToClose: Codec<SessionToClose> = {
  encode: (session) =>
    'id' in session ? uint32(session.id) : Buffer.concat([uint32(0), Buffer.from([session.handle])]),
  decode: decoder((reader) => {
    const id = reader.uint(4);
    return id === 0 && reader.remaining > 0 ? { handle: reader.uint(1) } : { id };
  }),
};
export const closeSession = command('Close Session', netFn.app, 0x3c, sessionToClose, nothing);

/** Requests an active session by its number, from 1, or the current one by 0. */
export const getSessionInfo = command(
  'Get Session Info',
  netFn.app,
  0x3d,
  singleByte,
  layout(
    u8('handle'),
    byteOf({ maxSessions: bits(6) }),
    byteOf({ activeSessions: bits(6) }),
    // User, privilege and channel; empty if there is no such session.
    rest('login', 3),
  ),
);

const channel = byteOf({ channel: bits(4) });
/** Sets bit 7 in addition, which is ignored when read. */
const withBit7 = (position: Bits<number>): Bits<number> => ({
  write: (value) => 0x80 | position.write(value),
  read: position.read,
});
/** Bit 2: there are named users. Anonymous login is never offered. */
const isKgSet: Bits<boolean> = { ...flag(0x20), write: (isSet) => (isSet ? 0x24 : 0x04) };
const supportsRmcpPlus: Bits<boolean> = { ...flag(0x02), write: (isSupported) => (isSupported ? 0x02 : 0x01) };

/** Requests extended capabilities by bit 7 of the channel. */
export const getChannelAuthenticationCapabilities = command(
  'Get Channel Authentication Capabilities',
  netFn.app,
  0x38,
  layout(byteOf({ channel: withBit7(bits(4)) }), byteOf({ privilege: bits(4) })),
  layout(
    channel,
    // Two bytes announce RMCP+; the later one counts.
    byteOf({ supportsRmcpPlus: flag(0x80) }),
    byteOf({ isKgSet }),
    byteOf({ supportsRmcpPlus }),
    trailer(0, 0, 0, 0),
  ),
);

/** The list of cipher suites is split into pieces of 16 bytes; a shorter piece is the last. */
export const suitePieceBytes = 16;

export const getChannelCipherSuites = command(
  'Get Channel Cipher Suites',
  netFn.app,
  0x54,
  layout(channel, reserved(1), byteOf({ piece: withBit7(bits(6)) })),
  layout(channel, rest('records', suitePieceBytes)),
);
