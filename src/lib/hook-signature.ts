// Signatures of webhooks in both directions, as standardwebhooks.com specifies: HMAC-SHA256 over id, timestamp and the exact bytes
// of the body. Uses node:crypto, because the reference library is slow on large reports and reads the clock itself.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { sameSecret } from './secrets.ts';

export interface HookHeaders {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: string;
  readonly signature: string;
}

/** What a sender reported to one of our hooks. */
export interface HookReport {
  /** Of the sender, in the site file. */
  readonly name: string;
  readonly headers: HookHeaders;
  /** Exactly as it was signed. */
  readonly body: Buffer;
}

const toleranceSeconds = 300;
const secretPattern = /^(?:whsec_)?([A-Za-z0-9+/]{22,}={0,2})$/;

/** Returns the key of at least 16 bytes that the text encodes, or undefined if it is not one. */
export function hookSecret(text: string): KeyObject | undefined {
  const base64 = secretPattern.exec(text)?.[1];
  return base64 === undefined ? undefined : createSecretKey(base64, 'base64');
}

export function signHook(secret: KeyObject, id: string, timestamp: number, body: Buffer | string): string {
  const digest = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return `v1,${digest}`;
}

/** Returns the headers of a request that we send, with one signature for each secret: two while one is being rotated. */
export function signedHookHeaders(secrets: readonly KeyObject[], id: string, nowMs: number, body: string) {
  const timestamp = Math.floor(nowMs / 1000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => signHook(secret, id, timestamp, body)).join(' '),
  };
}

/** Returns true if one of the signatures is correct and the timestamp is close to `nowMs`. */
export function isHookGenuine(secret: KeyObject, headers: HookHeaders, body: Buffer, nowMs: number): boolean {
  if (!/^[0-9]{1,12}$/.test(headers.timestamp)) return false;
  const timestamp = Number(headers.timestamp);
  if (Math.abs(nowMs / 1000 - timestamp) > toleranceSeconds) return false;
  const expected = Buffer.from(signHook(secret, headers.id, timestamp, body));
  return headers.signature.split(' ').some((signature) => sameSecret(expected, Buffer.from(signature)));
}
