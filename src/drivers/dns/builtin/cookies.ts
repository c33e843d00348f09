// DNS cookies (RFC 7873, in the form of RFC 9018): a client that shows a cookie of ours really has its address, so the
// response limit does not apply to it. All nodes derive the same secret from the installation's key, a new one each
// month; a cookie says when it was made and is checked with the secret of that time.
import { createHmac } from 'node:crypto';
import { PeerAddress } from './peer-address.ts';
import { sipHash } from './siphash.ts';

const version = 1;
const sizes = { client: 8, server: 16, head: 8, hash: 8, secret: 16 };
const secretPeriodSeconds = 30 * 24 * 60 * 60;
/** How old a cookie may be, and how far ahead the clock of another node (RFC 9018 section 4.3). */
const maxAgeSeconds = 60 * 60;
const maxAheadSeconds = 5 * 60;

export class Cookies {
  readonly #key: Buffer;
  readonly #nowMs: () => number;
  readonly #secrets = new Map<number, DataView>();
  /** The hashed bytes: the client's cookie, the head of the server's and the address. */
  readonly #input = new DataView(new ArrayBuffer(sizes.client + sizes.head + 16));
  readonly #hash = new DataView(new ArrayBuffer(sizes.hash));

  /** `key` is a secret that all nodes of the installation share. */
  constructor(key: Buffer, nowMs: () => number = Date.now) {
    this.#key = key;
    this.#nowMs = nowMs;
  }

  /**
   * Returns true if the cookie of a query, which may lack the server's part, is one that we gave to this address.
   * Writes the complete cookie of the reply to `out`.
   */
  exchange(source: Uint8Array, at: number, length: number, address: PeerAddress, out: Uint8Array): boolean {
    const nowSeconds = Math.floor(this.#nowMs() / 1000);
    const input = this.#input;
    for (let index = 0; index < sizes.client; index++) input.setUint8(index, source[at + index]!);
    for (let index = 0; index < address.length; index++)
      input.setUint8(sizes.client + sizes.head + index, address.bytes[index]!);
    const isValid =
      length === sizes.client + sizes.server && this.#isOurs(source, at + sizes.client, address, nowSeconds);
    input.setUint32(sizes.client, version << 24);
    input.setUint32(sizes.client + 4, nowSeconds);
    this.#computeHash(nowSeconds, address);
    for (let index = 0; index < sizes.client + sizes.head; index++) out[index] = input.getUint8(index);
    for (let index = 0; index < sizes.hash; index++)
      out[sizes.client + sizes.head + index] = this.#hash.getUint8(index);
    return isValid;
  }

  /** Returns the complete cookie of the reply, or undefined if the request's is malformed. */
  complete(cookie: Uint8Array, address: string): Buffer | undefined {
    if (!isWellFormed(cookie.length)) return undefined;
    const peer = new PeerAddress();
    peer.readText(address);
    const complete = Buffer.alloc(sizes.client + sizes.server);
    this.exchange(cookie, 0, cookie.length, peer, complete);
    return complete;
  }

  #isOurs(source: Uint8Array, at: number, address: PeerAddress, nowSeconds: number): boolean {
    const input = this.#input;
    for (let index = 0; index < sizes.head; index++) input.setUint8(sizes.client + index, source[at + index]!);
    const madeSeconds = input.getUint32(sizes.client + 4);
    if (
      source[at] !== version ||
      madeSeconds < nowSeconds - maxAgeSeconds ||
      madeSeconds > nowSeconds + maxAheadSeconds
    )
      return false;
    this.#computeHash(madeSeconds, address);
    let difference = 0;
    for (let index = 0; index < sizes.hash; index++)
      difference |= this.#hash.getUint8(index) ^ source[at + sizes.head + index]!;
    return difference === 0;
  }

  #computeHash(seconds: number, { length }: PeerAddress): void {
    sipHash(this.#secretAt(seconds), this.#input, sizes.client + sizes.head + length, this.#hash);
  }

  #secretAt(seconds: number): DataView {
    const period = Math.floor(seconds / secretPeriodSeconds);
    let secret = this.#secrets.get(period);
    if (secret === undefined) {
      const digest = createHmac('sha256', this.#key).update(`DNS cookies ${period}`).digest();
      secret = new DataView(new Uint8Array(digest).buffer, 0, sizes.secret);
      // Times are checked before, so that there are two at a time.
      if (this.#secrets.size > 2) this.#secrets.clear();
      this.#secrets.set(period, secret);
    }
    return secret;
  }
}

/** A client sends its part alone, or with a server's of any kind (RFC 7873 section 4). */
export function isWellFormed(bytes: number): boolean {
  return bytes === sizes.client || (bytes >= sizes.client + 8 && bytes <= sizes.client + 32);
}
