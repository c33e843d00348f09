// VNC authentication: the client encrypts a 16-byte challenge with DES under the password. Only eight characters count,
// so passwords must be valid for a single session.
import { createCipheriv, timingSafeEqual } from 'node:crypto';

export const challengeBytes = 16;
const significantBytes = 8;

/** Returns the expected response to a challenge. */
export function vncResponse(password: string, challenge: Buffer): Buffer {
  const key = desKey(password);
  // OpenSSL 3 has no single DES; triple DES with the same key three times is equivalent.
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}

/** Compares in constant time. */
export function isValidResponse(challenge: Buffer, response: Buffer, password: string): boolean {
  const expected = vncResponse(password, challenge);
  return expected.length === response.length && timingSafeEqual(expected, response);
}

/** VNC uses the key bytes with reversed bits. */
function desKey(password: string): Buffer {
  const key = Buffer.alloc(significantBytes);
  Buffer.from(password, 'latin1').copy(key, 0, 0, significantBytes);
  return key.map((byte) => {
    let reversed = 0;
    for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit);
    return reversed;
  }) as Buffer;
}
