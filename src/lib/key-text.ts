// The format of an API key: `hy_` + printable id + `_` + 160-bit secret + checksum. The id may appear in logs and lists. With the
// checksum, mistyped keys are rejected and leaked keys found in text without a database query.
import { crc32 } from 'node:zlib';
import { randomBase32 } from './random.ts';
import { sha256 } from './secrets.ts';

const idLength = 12;
const secretLength = 32;
const checksumLength = 8;
const pattern = new RegExp(`^hy_([a-z2-7]{${idLength}})_([a-z2-7]{${secretLength}})([0-9a-f]{${checksumLength}})$`);

export interface KeyText {
  readonly printableId: string;
  /** SHA-256 of the secret, which is all that is stored of it. */
  readonly secretHash: Buffer;
}

export function createKeyText(printableId: string = randomBase32(idLength * 5)): { text: string } & KeyText {
  const secret = randomBase32(secretLength * 5);
  return {
    text: `hy_${printableId}_${secret}${checksum(printableId, secret)}`,
    printableId,
    secretHash: sha256(secret),
  };
}

/** Returns undefined if the text is not a key. */
export function readKeyText(text: string): KeyText | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, printableId, secret, check] = match as unknown as [string, string, string, string];
  return checksum(printableId, secret) === check ? { printableId, secretHash: sha256(secret) } : undefined;
}

function checksum(printableId: string, secret: string): string {
  return crc32(`hy_${printableId}_${secret}`).toString(16).padStart(checksumLength, '0');
}
