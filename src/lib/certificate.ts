// Creates self-signed certificates on a new P-256 key, for listeners whose clients pin the certificate or ignore it, as
// BMCs do. Node can read X.509 but not write it; the little DER needed here is cheaper at start than an X.509 library
// (200 ms and 18 MB).
import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { dayMs } from './time.ts';

export interface CertificateOptions {
  readonly name: string;
  /** Addresses and host names that it is valid for. */
  readonly hosts: readonly string[];
  readonly notBefore: Date;
  readonly days: number;
}
export interface Certificate {
  /** Both in PEM. */
  readonly key: string;
  readonly certificate: string;
  /** SHA-256 of the certificate as openssl prints it: pairs of hex digits separated by colons. */
  readonly fingerprint: string;
}

const serialBytes = 16;

export function selfSignedCertificate(options: CertificateOptions): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = toBeSigned(options, publicKey);
  const signature = sign('sha256', body, privateKey);
  const der = sequence(body, signatureAlgorithm, bitString(signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: new X509Certificate(der).toString(),
    fingerprint: fingerprintOf(der),
  };
}

function fingerprintOf(der: Buffer): string {
  const hex = createHash('sha256').update(der).digest('hex').toUpperCase();
  return hex.match(/../g)!.join(':');
}

function toBeSigned({ name, hosts, notBefore, days }: CertificateOptions, publicKey: KeyObject): Buffer {
  const distinguishedName = sequence(set(sequence(objectIdentifier([2, 5, 4, 3]), utf8(name))));
  const notAfter = new Date(notBefore.getTime() + days * dayMs);
  return sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(positive(randomBytes(serialBytes))),
    signatureAlgorithm,
    distinguishedName,
    sequence(time(notBefore), time(notAfter)),
    distinguishedName,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(basicConstraints, alternativeNames(hosts))),
  );
}

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 0 ? tagged(0x82, Buffer.from(host)) : tagged(0x87, Buffer.from(ipaddr.parse(host).toByteArray())),
  );
  return sequence(objectIdentifier([2, 5, 29, 17]), tagged(0x04, sequence(...names)));
}

function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}
/** Short form up to 127, then a count of the length bytes that follow. */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}
function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}
function set(...parts: readonly Buffer[]): Buffer {
  return tagged(0x31, ...parts);
}
function explicit(number: number, content: Buffer): Buffer {
  return tagged(0xa0 | number, content);
}
function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}
/** The highest bit is the sign, and the first byte of a serial number must not be zero. */
function positive(bytes: Buffer): Buffer {
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes;
}
function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.from([0]), bytes);
}
function utf8(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text));
}
/** RFC 5280: a two-digit year through 2049, four digits from 2050. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d{3}/g, '');
  return date.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}
function objectIdentifier([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}
function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

const signatureAlgorithm = sequence(objectIdentifier([1, 2, 840, 10_045, 4, 3, 2]));
/** Critical, and a CA: so that a client that trusts it can verify it against itself. */
const basicConstraints = sequence(
  objectIdentifier([2, 5, 29, 19]),
  tagged(0x01, Buffer.from([0xff])),
  tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff])))),
);
