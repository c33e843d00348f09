// Key derivation of the RAKP exchange. The password keys the proofs in RAKP 2 and 3; K_g, if the BMC has one, keys the
// session integrity key instead. HMAC pads keys with zeros, so no padding is needed. Keys are KeyObjects because Node
// would otherwise create one from the buffer for each HMAC, which costs five times as much as the HMAC.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { Cipheriv, Decipheriv, KeyObject } from 'node:crypto';
import { uint32 } from './codec.ts';
import type { CipherSuite } from './suite.ts';

/** What both ends know by RAKP 2. */
export interface KeyExchange {
  suite: CipherSuite;
  consoleSessionId: number;
  bmcSessionId: number;
  consoleRandom: Buffer;
  bmcRandom: Buffer;
  bmcGuid: Buffer;
  role: number;
  username: string;
}

export interface SessionKeys {
  suite: CipherSuite;
  integrityKey: KeyObject;
  confidentialityKey: KeyObject;
  /** Created on first use, and kept as long as the session: setting up a cipher costs more than a packet. */
  cipher?: Cipheriv;
  decipher?: Decipheriv;
}

function hmac(suite: CipherSuite, key: KeyObject, parts: readonly Buffer[]): Buffer {
  const digest = createHmac(suite.hash, key);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

function roleAndName(exchange: KeyExchange): Buffer {
  const username = Buffer.from(exchange.username, 'latin1');
  return Buffer.concat([Buffer.from([exchange.role, username.length]), username]);
}

/** Computes the BMC's proof in RAKP 2 that it knows the password. */
export function bmcProof(exchange: KeyExchange, password: KeyObject): Buffer {
  return hmac(exchange.suite, password, [
    uint32(exchange.consoleSessionId),
    uint32(exchange.bmcSessionId),
    exchange.consoleRandom,
    exchange.bmcRandom,
    exchange.bmcGuid,
    roleAndName(exchange),
  ]);
}

/** Computes the console's proof in RAKP 3 that it knows the password. */
export function consoleProof(exchange: KeyExchange, password: KeyObject): Buffer {
  return hmac(exchange.suite, password, [exchange.bmcRandom, uint32(exchange.consoleSessionId), roleAndName(exchange)]);
}

/** Computes the session integrity key, from which the other keys derive. */
export function sessionIntegrityKey(exchange: KeyExchange, passwordOrKg: KeyObject): KeyObject {
  const parts = [exchange.consoleRandom, exchange.bmcRandom, roleAndName(exchange)];
  return createSecretKey(hmac(exchange.suite, passwordOrKg, parts));
}

/** Computes the check in RAKP 4, which shows that the BMC has the same session integrity key. */
export function finalCheck(exchange: KeyExchange, integrityKey: KeyObject): Buffer {
  const check = hmac(exchange.suite, integrityKey, [
    exchange.consoleRandom,
    uint32(exchange.bmcSessionId),
    exchange.bmcGuid,
  ]);
  return check.subarray(0, exchange.suite.integrityBytes);
}

export function secretKey(secret: string | Buffer): KeyObject {
  return createSecretKey(typeof secret === 'string' ? Buffer.from(secret, 'latin1') : secret);
}

const firstConstant = Buffer.alloc(20, 1);
const secondConstant = Buffer.alloc(20, 2);

export function sessionKeys(suite: CipherSuite, integrityKey: KeyObject): SessionKeys {
  return {
    suite,
    integrityKey: createSecretKey(hmac(suite, integrityKey, [firstConstant])),
    confidentialityKey: createSecretKey(hmac(suite, integrityKey, [secondConstant]).subarray(0, 16)),
  };
}

export function isSameSecret(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
