// TFTP datagrams (RFC 1350) with options (RFC 2347 to 2349), for a read-only server.

export const tftpError = {
  notDefined: 0,
  notFound: 1,
  accessViolation: 2,
  illegal: 4,
  unknownTransfer: 5,
  badOption: 8,
} as const;
export type TftpErrorCode = (typeof tftpError)[keyof typeof tftpError];

export interface ReadRequest {
  readonly kind: 'read';
  readonly file: string;
  /** Lower case: octet, netascii, mail. */
  readonly mode: string;
  /** Names in lower case; the first of duplicate names counts. */
  readonly options: ReadonlyMap<string, string>;
}
export type TftpRequest = ReadRequest | { readonly kind: 'write' } | { readonly kind: 'other' };
export type TftpReply =
  | { readonly kind: 'ack'; readonly block: number }
  | { readonly kind: 'error' }
  | { readonly kind: 'other' };

const opcode = { read: 1, write: 2, data: 3, ack: 4, error: 5, oack: 6 } as const;
const maxRequestBytes = 512;

export function decodeRequest(datagram: Buffer): TftpRequest {
  if (datagram.length < 4 || datagram.length > maxRequestBytes) return { kind: 'other' };
  const operation = datagram.readUInt16BE(0);
  if (operation === opcode.write) return { kind: 'write' };
  // The last string is terminated by a zero too.
  if (operation !== opcode.read || datagram.at(-1) !== 0) return { kind: 'other' };
  const [file = '', mode = '', ...rest] = datagram.subarray(2, -1).toString('latin1').split('\0');
  if (file === '' || mode === '' || rest.length % 2 === 1) return { kind: 'other' };
  const options = new Map<string, string>();
  for (let index = 0; index < rest.length; index += 2) {
    const name = rest[index]!.toLowerCase();
    if (!options.has(name)) options.set(name, rest[index + 1]!);
  }
  return { kind: 'read', file, mode: mode.toLowerCase(), options };
}

/** Decodes what a client sends after its request. */
export function decodeReply(datagram: Buffer): TftpReply {
  if (datagram.length < 4) return { kind: 'other' };
  const operation = datagram.readUInt16BE(0);
  if (operation === opcode.ack) return { kind: 'ack', block: datagram.readUInt16BE(2) };
  return { kind: operation === opcode.error ? 'error' : 'other' };
}

export function encodeData(block: number, content: Buffer): Buffer {
  return Buffer.concat([uint16s(opcode.data, block & 0xffff), content]);
}

export function encodeOptions(options: ReadonlyMap<string, string>): Buffer {
  const texts = [...options].map(([name, value]) => `${name}\0${value}\0`);
  return Buffer.concat([uint16s(opcode.oack), Buffer.from(texts.join(''), 'latin1')]);
}

export function encodeError(code: TftpErrorCode, message: string): Buffer {
  return Buffer.concat([uint16s(opcode.error, code), Buffer.from(`${message}\0`, 'latin1')]);
}

/** For clients in tests and simulators. */
export function encodeRead(file: string, options: ReadonlyMap<string, string> = new Map()): Buffer {
  const texts = [file, 'octet', ...[...options].flat()].map((text) => `${text}\0`);
  return Buffer.concat([uint16s(opcode.read), Buffer.from(texts.join(''), 'latin1')]);
}

export function encodeAck(block: number): Buffer {
  return uint16s(opcode.ack, block);
}

function uint16s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}
