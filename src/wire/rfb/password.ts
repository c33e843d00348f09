// VNC authentication: the server sends 16 random bytes, the client encrypts them with DES under the password. It is as old
// and as weak as it sounds: eight characters count, so who serves it must make passwords good for one session alone.
import { createCipheriv, timingSafeEqual } from 'node:crypto';

export const challengeBytes = 16;
const significantBytes = 8;

/** What a client that knows the password answers to the challenge. */
export function vncResponse(password: string, challenge: Buffer): Buffer {
  const key = keyOf(password);
  // OpenSSL 3 has put single DES away; three times the same key is the same cipher.
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}

/** In constant time. */
export function isResponseTo(challenge: Buffer, response: Buffer, password: string): boolean {
  const expected = vncResponse(password, challenge);
  return expected.length === response.length && timingSafeEqual(expected, response);
}

/** The first VNC read its key with the bits of each byte the wrong way round, and so has everybody since. */
function keyOf(password: string): Buffer {
  const key = Buffer.alloc(significantBytes);
  Buffer.from(password, 'latin1').copy(key, 0, 0, significantBytes);
  return key.map((byte) => {
    let reversed = 0;
    for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit);
    return reversed;
  }) as Buffer;
}
