// A WebAuthn authenticator together with its browser: P-256 keys, discoverable passkeys per host, a signature counter,
// attestation `none`. Each of its outputs can be forged, as an attacker would.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

interface Passkey {
  readonly id: Buffer;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  count: number;
}
export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}
export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}
/** Parts to forge. */
export interface Forgery {
  readonly origin?: string;
  readonly rpId?: string;
  readonly userVerified?: boolean;
  readonly userHandle?: string;
  readonly count?: number;
  readonly signature?: Buffer;
  readonly format?: string;
}

const userPresent = 0x01;
const userVerified = 0x04;
const attestedCredential = 0x40;

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** `counts: false` is for passkeys that are synced between devices and always report 0. */
export function createAuthenticator(origin: string, { counts = true } = {}) {
  const passkeys: Passkey[] = [];

  function clientData(type: 'webauthn.create' | 'webauthn.get', challenge: string, falsified: Forgery): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: falsified.origin ?? origin, crossOrigin: false }));
  }

  return {
    create({ challenge, rp, user }: CreationOptions, falsified: Forgery = {}) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const passkey = { id: randomBytes(32), rpId: rp.id, userHandle: user.id, privateKey, count: 0 };
      passkeys.push(passkey);
      const { x, y } = publicKey.export({ format: 'jwk' });
      const coordinates = [x!, y!].map((text) => Buffer.from(text, 'base64url'));
      const key = cbor(coseKey(coordinates[0]!, coordinates[1]!));
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, passkey.id.length]), passkey.id, key]);
      const data = Buffer.concat([authenticatorData(passkey, attestedCredential, falsified), credential]);
      return {
        ...credentialFields(passkey),
        response: {
          clientDataJSON: text(clientData('webauthn.create', challenge, falsified)),
          attestationObject: text(cbor(attestation(data, falsified))),
          transports: ['internal'],
        },
      };
    },
    get({ challenge, rpId }: RequestOptions, falsified: Forgery = {}) {
      const passkey = passkeys.findLast((candidate) => candidate.rpId === rpId)!;
      if (counts) passkey.count++;
      const data = authenticatorData(passkey, 0, falsified);
      const client = clientData('webauthn.get', challenge, falsified);
      const signed = sign('sha256', Buffer.concat([data, sha256(client)]), passkey.privateKey);
      return {
        ...credentialFields(passkey),
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(falsified.signature ?? signed),
          userHandle: falsified.userHandle ?? passkey.userHandle,
        },
      };
    },
  };
}

/** A P-256 key for ES256, as COSE (RFC 9053). */
function coseKey(x: Buffer, y: Buffer): Value {
  return new Map<number, Value>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, x],
    [-3, y],
  ]);
}

function attestation(data: Buffer, { format = 'none' }: Forgery): Value {
  return new Map<string, Value>([
    ['fmt', format],
    ['attStmt', new Map()],
    ['authData', data],
  ]);
}

function credentialFields({ id }: Passkey) {
  return { id: text(id), rawId: text(id), type: 'public-key', clientExtensionResults: {} };
}

function authenticatorData({ rpId, count }: Passkey, flags: number, falsified: Forgery): Buffer {
  const verified = falsified.userVerified === false ? 0 : userVerified;
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(falsified.count ?? count);
  return Buffer.concat([sha256(falsified.rpId ?? rpId), Buffer.from([flags | userPresent | verified]), counter]);
}

function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}
function text(bytes: Buffer): string {
  return bytes.toString('base64url');
}

type Value = number | string | Buffer | ReadonlyMap<number | string, Value>;
/** The subset of CBOR (RFC 8949) that an attestation needs. */
function cbor(value: Value): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const members = [...value].flatMap(([name, member]) => [cbor(name), cbor(member)]);
  return Buffer.concat([head(5, value.size), ...members]);
}
function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size]);
  return Buffer.from(size < 256 ? [(kind << 5) | 24, size] : [(kind << 5) | 25, size >> 8, size & 255]);
}
