// Encrypts secrets at rest with AES-256-GCM and a key that is not in the database. The context (table, column, row) is authenticated
// with the text, so that a sealed value copied into another row does not open.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const nonceBytes = 12;
const tagBytes = 16;

export interface SecretBox {
  seal(text: string, context: string): string;
  /** Throws if the text was altered, or sealed with another key or context. */
  open(sealed: string, context: string): string;
  /** The same for bytes, without the third that base64 adds. */
  sealBytes(bytes: Buffer, context: string): Buffer;
  openBytes(sealed: Buffer, context: string): Buffer;
  /** Returns a keyed digest, with which only holders of the key can compare two texts. */
  digest(text: string): string;
  /** Identifies the key without revealing it, to compare the keys of two processes. */
  readonly fingerprint: string;
  /** For a thread of this process, which cannot share the box itself. */
  readonly key: Buffer;
}

export function secretBox(key: Buffer): SecretBox {
  if (key.length !== 32) throw new Error('the sealing key must be 32 bytes');
  // Node imports a buffer anew for each use, which takes five times as long as the cipher itself.
  const keyObject = createSecretKey(key);
  function sealBytes(bytes: Buffer, context: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', keyObject, nonce);
    cipher.setAAD(Buffer.from(context));
    const body = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...body]);
  }
  function openBytes(sealed: Buffer, context: string): Buffer {
    if (sealed.length < nonceBytes + tagBytes) throw new Error('sealed text is too short');
    const decipher = createDecipheriv('aes-256-gcm', keyObject, sealed.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
  }
  return {
    key,
    sealBytes,
    openBytes,
    seal: (text, context) => `s1.${sealBytes(Buffer.from(text), context).toString('base64url')}`,
    open(sealed, context) {
      if (!sealed.startsWith('s1.')) throw new Error('not a sealed text');
      return openBytes(Buffer.from(sealed.slice(3), 'base64url'), context).toString('utf8');
    },
    digest: (text) => createHmac('sha256', keyObject).update(text).digest('hex'),
    fingerprint: createHash('sha256').update('hostyard sealing key').update(key).digest('hex').slice(0, 16),
  };
}

/**
 * Returns the key in the data folder, and creates it at the first start. Two processes that start at once agree on one
 * key: a hard link either appears complete or fails because the other process was first.
 */
export function ensureSealingKey(dataFolder: string): Buffer {
  const file = join(dataFolder, 'secret.key');
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
    try {
      linkSync(draft, file);
      syncFolder(dataFolder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
  }
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
}

/** A new name is durable only once its folder is synced. Synchronous, because the key is needed before anything runs. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Returns undefined if the data folder has none yet. */
export function findSealingKey(dataFolder: string): Buffer | undefined {
  return existsSync(join(dataFolder, 'secret.key')) ? ensureSealingKey(dataFolder) : undefined;
}

export function sha256(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer');
}

export function sha256Hex(text: string | Buffer): string {
  return hash('sha256', text, 'hex');
}

/** Compares in constant time. */
export function sameSecret(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
