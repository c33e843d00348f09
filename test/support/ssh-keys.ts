// Public SSH keys, new each time.
import { randomBytes } from 'node:crypto';

export function createSshKey(comment = 'sweep'): string {
  const field = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const blob = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(randomBytes(32))]);
  return `ssh-ed25519 ${blob.toString('base64')} ${comment}`;
}
