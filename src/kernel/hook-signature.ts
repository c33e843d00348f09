// Signatures of reports that come to us over HTTP, as standardwebhooks.com describes them: a moment, an id and the very bytes
// of the body under a shared secret. Done with the runtime's own HMAC, which a large report needs, and by our clock.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { sameSecret } from './secrets.ts';

export interface HookHeaders {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: string;
  readonly signature: string;
}

const toleranceSeconds = 300;
const secretPattern = /^(?:whsec_)?([A-Za-z0-9+/]{22,}={0,2})$/;

/** The key that a secret stands for; undefined where the text is none. At least 16 bytes. */
export function hookSecret(text: string): KeyObject | undefined {
  const base64 = secretPattern.exec(text)?.[1];
  return base64 === undefined ? undefined : createSecretKey(base64, 'base64');
}

export function signHook(secret: KeyObject, id: string, timestamp: number, body: Buffer): string {
  const digest = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return `v1,${digest}`;
}

/** Whether one of the signatures is ours and the moment is near `nowMs`. */
export function hookIsGenuine(secret: KeyObject, headers: HookHeaders, body: Buffer, nowMs: number): boolean {
  if (!/^[0-9]{1,12}$/.test(headers.timestamp)) return false;
  const timestamp = Number(headers.timestamp);
  if (Math.abs(nowMs / 1000 - timestamp) > toleranceSeconds) return false;
  const expected = Buffer.from(signHook(secret, headers.id, timestamp, body));
  return headers.signature.split(' ').some((given) => sameSecret(expected, Buffer.from(given)));
}
