// Public keys in the format of authorized_keys.
import { sha256 } from './secrets.ts';

/** Returns the fingerprint as ssh-keygen prints it, or undefined if the text is no public key. */
export function sshFingerprint(text: string): string | undefined {
  const [type = '', encoded = ''] = text.split(' ');
  const blob = Buffer.from(encoded, 'base64');
  // Fields with their length in front: the first repeats the type, and at least one follows.
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    const length = at + 4 <= blob.length ? blob.readUInt32BE(at) : Infinity;
    if (at + 4 + length > blob.length) return undefined;
    fields.push(blob.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  if (fields.length < 2 || fields[0]!.toString('latin1') !== type || fields[1]!.length === 0) return undefined;
  return `SHA256:${sha256(blob)
    .toString('base64')
    .replace(/={1,2}$/, '')}`;
}
