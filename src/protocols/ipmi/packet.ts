// Datagrams on UDP port 623: ASF messages (presence ping and pong), IPMI 1.5 packets outside a session, and RMCP+
// packets. seal.ts protects and opens RMCP+ packets.

export const payloadType = {
  ipmi: 0x00,
  sol: 0x01,
  openSessionRequest: 0x10,
  openSessionResponse: 0x11,
  rakp1: 0x12,
  rakp2: 0x13,
  rakp3: 0x14,
  rakp4: 0x15,
} as const;

export interface AsfPacket {
  format: 'asf';
  type: number;
  tag: number;
  data: Buffer;
}

/** An IPMI 1.5 packet with authentication type "none", the only one supported, for use before a session. */
export interface SessionlessPacket {
  format: 'sessionless';
  payload: Buffer;
}

export interface RmcpPlusPacket {
  format: 'rmcpPlus';
  payloadType: number;
  isProtected: boolean;
  sessionId: number;
  sequence: number;
  payload: Buffer;
  /** The whole datagram, because the integrity check covers header and trailer too. */
  datagram: Buffer;
}

export type Packet = AsfPacket | SessionlessPacket | RmcpPlusPacket;

const rmcpVersion = 0x06;
const rmcpNoAck = 0xff;
const classAsf = 0x06;
const classIpmi = 0x07;
const authenticationNone = 0x00;
const authenticationRmcpPlus = 0x06;
const asfEnterprise = 4542;
export const rmcpPlusHeaderBytes = 16;
const protectedBits = 0xc0;

export function encodeAsf(packet: Omit<AsfPacket, 'format'>): Buffer {
  const bytes = Buffer.alloc(12 + packet.data.length);
  bytes.set([rmcpVersion, 0, rmcpNoAck, classAsf]);
  bytes.writeUInt32BE(asfEnterprise, 4);
  bytes.set([packet.type, packet.tag, 0, packet.data.length], 8);
  bytes.set(packet.data, 12);
  return bytes;
}

export function encodeSessionless(payload: Buffer): Buffer {
  const bytes = Buffer.alloc(14 + payload.length);
  bytes.set([rmcpVersion, 0, rmcpNoAck, classIpmi, authenticationNone]);
  bytes[13] = payload.length;
  bytes.set(payload, 14);
  return bytes;
}

export function writeRmcpPlusHeader(
  into: Buffer,
  header: { payloadType: number; isProtected: boolean; sessionId: number; sequence: number; payloadBytes: number },
): void {
  into[0] = rmcpVersion;
  into[1] = 0;
  into[2] = rmcpNoAck;
  into[3] = classIpmi;
  into[4] = authenticationRmcpPlus;
  into[5] = header.payloadType | (header.isProtected ? protectedBits : 0);
  into.writeUInt32LE(header.sessionId, 6);
  into.writeUInt32LE(header.sequence, 10);
  into.writeUInt16LE(header.payloadBytes, 14);
}

/** Encodes an RMCP+ packet outside a session, for the handshake. */
export function encodeUnprotected(type: number, payload: Buffer): Buffer {
  const bytes = Buffer.alloc(rmcpPlusHeaderBytes + payload.length);
  writeRmcpPlusHeader(bytes, {
    payloadType: type,
    isProtected: false,
    sessionId: 0,
    sequence: 0,
    payloadBytes: payload.length,
  });
  bytes.set(payload, rmcpPlusHeaderBytes);
  return bytes;
}

export function decodePacket(datagram: Buffer): Packet | undefined {
  if (datagram.length < 5 || datagram[0] !== rmcpVersion) return undefined;
  if (datagram[3] === classAsf) return decodeAsf(datagram);
  if (datagram[3] !== classIpmi) return undefined;
  if (datagram[4] === authenticationRmcpPlus) return decodeRmcpPlus(datagram);
  return datagram[4] === authenticationNone ? decodeSessionless(datagram) : undefined;
}

function decodeAsf(datagram: Buffer): AsfPacket | undefined {
  if (datagram.length < 12 || datagram.readUInt32BE(4) !== asfEnterprise) return undefined;
  const length = datagram.readUInt8(11);
  if (datagram.length < 12 + length) return undefined;
  return {
    format: 'asf',
    type: datagram.readUInt8(8),
    tag: datagram.readUInt8(9),
    data: datagram.subarray(12, 12 + length),
  };
}

function decodeSessionless(datagram: Buffer): SessionlessPacket | undefined {
  if (datagram.length < 14 || datagram.readUInt32LE(9) !== 0) return undefined;
  const length = datagram.readUInt8(13);
  if (datagram.length < 14 + length) return undefined;
  return { format: 'sessionless', payload: datagram.subarray(14, 14 + length) };
}

function decodeRmcpPlus(datagram: Buffer): RmcpPlusPacket | undefined {
  if (datagram.length < rmcpPlusHeaderBytes) return undefined;
  const typeByte = datagram.readUInt8(5);
  const protection = typeByte & protectedBits;
  // Partly protected packets belong to cipher suites that are not supported.
  if (protection !== 0 && protection !== protectedBits) return undefined;
  const length = datagram.readUInt16LE(14);
  if (datagram.length < rmcpPlusHeaderBytes + length) return undefined;
  return {
    format: 'rmcpPlus',
    payloadType: typeByte & 0x3f,
    isProtected: protection === protectedBits,
    sessionId: datagram.readUInt32LE(6),
    sequence: datagram.readUInt32LE(10),
    payload: datagram.subarray(rmcpPlusHeaderBytes, rmcpPlusHeaderBytes + length),
    datagram,
  };
}
