// The handshake of RFB 3.3, 3.7 and 3.8 (RFC 6143) for both sides: version, security and its result. It ends before
// ClientInit, from where all versions are the same, so a proxy performs both handshakes and pipes the rest.
import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { readBytes } from './bytes.ts';
import { RfbError } from './error.ts';
import { challengeBytes, vncResponse } from './password.ts';

const versionBytes = 12;
const versions = ['RFB 003.003\n', 'RFB 003.007\n', 'RFB 003.008\n'] as const;
type Version = (typeof versions)[number];
const latestVersion: Version = 'RFB 003.008\n';

const security = { invalid: 0, none: 1, vnc: 2 } as const;
const result = { ok: 0, failed: 1 } as const;
const maxReasonBytes = 1024;

export interface VncAuthenticator<T> {
  /** Returns whose password matches the response, or undefined to reject the client. */
  verify(challenge: Buffer, response: Buffer): Promise<T | undefined>;
}

/** The server side, with VNC authentication. A rejected client is notified, and the stream ends. */
export async function serveHandshake<T>(
  stream: Duplex,
  authenticator: VncAuthenticator<T>,
  signal?: AbortSignal,
): Promise<T> {
  const version = await negotiateSecurity(stream, security.vnc, signal);
  const challenge = randomBytes(challengeBytes);
  stream.write(challenge);
  const response = await readBytes(stream, challengeBytes, signal);
  const owner = await authenticator.verify(challenge, response);
  if (owner === undefined) {
    rejectClient(stream, version, 'Authentication failed');
    throw new RfbError('auth', 'the client has a wrong password');
  }
  stream.write(encodeUint32(result.ok));
  return owner;
}

/** The server side without authentication, for a client that is already authenticated. */
export async function serveOpenHandshake(stream: Duplex, signal?: AbortSignal): Promise<void> {
  const version = await negotiateSecurity(stream, security.none, signal);
  if (version === latestVersion) stream.write(encodeUint32(result.ok));
}

/** The client side. With a password, prefers authentication if the server offers both. */
export async function clientHandshake(
  stream: Duplex,
  password: string | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const version = parseVersion(await readBytes(stream, versionBytes, signal));
  stream.write(version);
  const type = await chooseSecurity(stream, version, password, signal);
  if (type === security.vnc) {
    if (password === undefined) throw new RfbError('auth', 'the server requires a password');
    stream.write(vncResponse(password, await readBytes(stream, challengeBytes, signal)));
  } else if (version !== latestVersion) {
    return;
  }
  if ((await readBytes(stream, 4, signal)).readUInt32BE() === result.ok) return;
  const reason = version === latestVersion ? await readText(stream, signal) : 'no reason given';
  throw new RfbError('auth', `the server rejected the login: ${reason}`);
}

async function negotiateSecurity(stream: Duplex, type: number, signal: AbortSignal | undefined): Promise<Version> {
  stream.write(latestVersion);
  const version = parseVersion(await readBytes(stream, versionBytes, signal));
  if (version === 'RFB 003.003\n') {
    stream.write(encodeUint32(type));
    return version;
  }
  stream.write(Buffer.from([1, type]));
  const [chosenType] = await readBytes(stream, 1, signal);
  if (chosenType !== type) {
    rejectClient(stream, version, 'Not offered');
    throw new RfbError('protocol', `the client chose security type ${chosenType}, which was not offered`);
  }
  return version;
}

/** Only the latest version has a reason. */
function rejectClient(stream: Duplex, version: Version, reason: string): void {
  stream.write(encodeUint32(result.failed));
  stream.end(version === latestVersion ? encodeText(reason) : undefined);
}

async function chooseSecurity(
  stream: Duplex,
  version: Version,
  password: string | undefined,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (version === 'RFB 003.003\n') {
    const type = (await readBytes(stream, 4, signal)).readUInt32BE();
    if (type === security.invalid) throw new RfbError('rejected', await readText(stream, signal));
    if (type === security.none || type === security.vnc) return type;
    throw new RfbError('protocol', `the server requires security type ${type}`);
  }
  const [count] = await readBytes(stream, 1, signal);
  if (count === 0) throw new RfbError('rejected', await readText(stream, signal));
  const types = await readBytes(stream, count!, signal);
  const preferred = password === undefined ? [security.none, security.vnc] : [security.vnc, security.none];
  const type = preferred.find((candidate) => types.includes(candidate));
  if (type === undefined) throw new RfbError('protocol', `the server offers only security types ${[...types].join()}`);
  stream.write(Buffer.from([type]));
  return type;
}

/** A later minor version counts as the latest supported one, an unknown one as 3.3 (RFC 6143 section 7.1.1). */
function parseVersion(bytes: Buffer): Version {
  const line = bytes.toString('latin1');
  const minor = Number(line.slice(8, 11));
  if (!line.startsWith('RFB 003.') || line[11] !== '\n' || !Number.isInteger(minor))
    throw new RfbError('protocol', 'the other side does not speak RFB 3');
  if (minor >= 8) return latestVersion;
  return minor === 7 ? 'RFB 003.007\n' : 'RFB 003.003\n';
}

async function readText(stream: Duplex, signal: AbortSignal | undefined): Promise<string> {
  const length = (await readBytes(stream, 4, signal)).readUInt32BE();
  if (length > maxReasonBytes) return '(the reason is too long)';
  return (await readBytes(stream, length, signal)).toString('utf8');
}

function encodeText(text: string): Buffer {
  return Buffer.concat([encodeUint32(Buffer.byteLength(text)), Buffer.from(text)]);
}

function encodeUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
