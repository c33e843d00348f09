// How an API key looks: `hy_` + printable id + `_` + 160-bit secret + checksum. The id may stand in logs and lists; the
// checksum lets a mistyped key be refused, and a leaked one be found in a text, without asking the database.
import { crc32 } from 'node:zlib';
import { randomBase32 } from './random.ts';
import { sha256 } from './secrets.ts';

const idLength = 12;
const secretLength = 32;
const checksumLength = 8;
const pattern = new RegExp(`^hy_([a-z2-7]{${idLength}})_([a-z2-7]{${secretLength}})([0-9a-f]{${checksumLength}})$`);

export interface KeyText {
  readonly printableId: string;
  /** SHA-256 of the secret: all that is stored of it. */
  readonly secretHash: Buffer;
}

export function makeKeyText(printableId: string = randomBase32(idLength * 5)): { text: string } & KeyText {
  const secret = randomBase32(secretLength * 5);
  return {
    text: `hy_${printableId}_${secret}${checksum(printableId, secret)}`,
    printableId,
    secretHash: sha256(secret),
  };
}

/** Undefined where the text is no key at all. */
export function readKeyText(text: string): KeyText | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, printableId, secret, check] = match as unknown as [string, string, string, string];
  return checksum(printableId, secret) === check ? { printableId, secretHash: sha256(secret) } : undefined;
}

function checksum(printableId: string, secret: string): string {
  return crc32(`hy_${printableId}_${secret}`).toString(16).padStart(checksumLength, '0');
}
