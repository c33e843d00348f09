// The handshake of RFB 3.3, 3.7 and 3.8 (RFC 6143), from both sides: versions, security and its result. After it both sides
// stand before ClientInit, and from there on the versions are alike: a proxy shakes hands on either side and pipes the rest.
import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { readBytes } from './bytes.ts';
import { RfbError } from './error.ts';
import { challengeBytes, vncResponse } from './password.ts';

const versionBytes = 12;
const versions = ['RFB 003.003\n', 'RFB 003.007\n', 'RFB 003.008\n'] as const;
type Version = (typeof versions)[number];
const newest: Version = 'RFB 003.008\n';

const security = { invalid: 0, none: 1, vnc: 2 } as const;
const result = { ok: 0, failed: 1 } as const;
const mostReasonBytes = 1024;

export interface Gate<T> {
  /** Whom the answer to the challenge belongs to, of perhaps many who have a password; undefined turns the client away. */
  accept(challenge: Buffer, response: Buffer): Promise<T | undefined>;
}

/** The server's side, with VNC authentication. A client who is turned away is told so, and the stream is ended. */
export async function serveHandshake<T>(stream: Duplex, gate: Gate<T>, signal?: AbortSignal): Promise<T> {
  const version = await offer(stream, security.vnc, signal);
  const challenge = randomBytes(challengeBytes);
  stream.write(challenge);
  const response = await readBytes(stream, challengeBytes, signal);
  const accepted = await gate.accept(challenge, response);
  if (accepted === undefined) {
    stream.end(Buffer.concat([word(result.failed), ...(version === newest ? [text('Authentication failed')] : [])]));
    throw new RfbError('auth', 'the client does not know the password');
  }
  stream.write(word(result.ok));
  return accepted;
}

/** The server's side where it is known already who comes. */
export async function serveOpenHandshake(stream: Duplex, signal?: AbortSignal): Promise<void> {
  const version = await offer(stream, security.none, signal);
  if (version === newest) stream.write(word(result.ok));
}

/** The client's side. With a password it authenticates where the server offers both. */
export async function clientHandshake(
  stream: Duplex,
  password: string | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const version = versionOf(await readBytes(stream, versionBytes, signal));
  stream.write(version);
  const type = await choose(stream, version, password, signal);
  if (type === security.vnc) {
    if (password === undefined) throw new RfbError('auth', 'the server wants a password');
    stream.write(vncResponse(password, await readBytes(stream, challengeBytes, signal)));
  } else if (version !== newest) {
    return;
  }
  if ((await readBytes(stream, 4, signal)).readUInt32BE() === result.ok) return;
  const reason = version === newest ? await readText(stream, signal) : 'no reason given';
  throw new RfbError('auth', `the server refused: ${reason}`);
}

async function offer(stream: Duplex, type: number, signal: AbortSignal | undefined): Promise<Version> {
  stream.write(newest);
  const version = versionOf(await readBytes(stream, versionBytes, signal));
  if (version === 'RFB 003.003\n') {
    stream.write(word(type));
    return version;
  }
  stream.write(Buffer.from([1, type]));
  const [chosen] = await readBytes(stream, 1, signal);
  if (chosen !== type) {
    stream.end(Buffer.concat([word(result.failed), ...(version === newest ? [text('Not offered')] : [])]));
    throw new RfbError('protocol', `the client chose the security type ${chosen}, which was not offered`);
  }
  return version;
}

async function choose(
  stream: Duplex,
  version: Version,
  password: string | undefined,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (version === 'RFB 003.003\n') {
    const type = (await readBytes(stream, 4, signal)).readUInt32BE();
    if (type === security.invalid) throw new RfbError('refused', await readText(stream, signal));
    if (type === security.none || type === security.vnc) return type;
    throw new RfbError('protocol', `the server decided on the security type ${type}`);
  }
  const [count] = await readBytes(stream, 1, signal);
  if (count === 0) throw new RfbError('refused', await readText(stream, signal));
  const types = await readBytes(stream, count!, signal);
  const wanted = password === undefined ? [security.none, security.vnc] : [security.vnc, security.none];
  const type = wanted.find((each) => types.includes(each));
  if (type === undefined) throw new RfbError('protocol', `the server offers the security types ${[...types].join()}`);
  stream.write(Buffer.from([type]));
  return type;
}

/** Of a later minor version the newest that we speak, of an unknown one 3.3, as the RFC says. */
function versionOf(bytes: Buffer): Version {
  const line = bytes.toString('latin1');
  const minor = Number(line.slice(8, 11));
  if (!line.startsWith('RFB 003.') || line[11] !== '\n' || !Number.isInteger(minor))
    throw new RfbError('protocol', 'this is not RFB 3');
  if (minor >= 8) return newest;
  return minor === 7 ? 'RFB 003.007\n' : 'RFB 003.003\n';
}

async function readText(stream: Duplex, signal: AbortSignal | undefined): Promise<string> {
  const length = (await readBytes(stream, 4, signal)).readUInt32BE();
  if (length > mostReasonBytes) return 'a reason that is too long to be one';
  return (await readBytes(stream, length, signal)).toString('utf8');
}

function text(words: string): Buffer {
  return Buffer.concat([word(Buffer.byteLength(words)), Buffer.from(words)]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
