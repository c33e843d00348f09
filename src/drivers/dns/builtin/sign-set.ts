// Signs RRsets with the keys of their zone. Signatures are made when they are first needed, in the thread pool, and kept
// with their sets. How many a zone can get in a second is limited, so that a large zone does not occupy the CPU.
import { createHash, type KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeRecords } from '#protocols/dns/dnssec/canonical.ts';
import { ecdsaP256, keyTag, signWith } from '#protocols/dns/dnssec/keys.ts';
import { bytesToSign, rrsigHeader } from '#protocols/dns/dnssec/rrsig.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rrTypes } from '#protocols/dns/types.ts';

export interface SigningKey {
  readonly dnskey: Buffer;
  /** Opens the key if that has not been done before. */
  readonly privateKey: () => KeyObject;
  /** Only the active key signs more than the DNSKEY, CDS and CDNSKEY sets. */
  readonly isActive: boolean;
}

export interface ZoneSigning {
  readonly keys: readonly SigningKey[];
  /** False to ask the parent zone for the removal of its DS records. */
  readonly wantsDs: boolean;
}

const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;
/** For validators whose clock is behind. */
const backdatedSeconds = 3 * hourSeconds;
const validitySeconds = 14 * daySeconds;
/** Signatures expire at different times, so that they are not all renewed at once. */
const jitterSeconds = 3 * daySeconds;
/** Secondaries fetch the zone every three days, and may keep it for days after that. */
const renewalSeconds = 7 * daySeconds;

/** A part of an answer: one set, or a set and its signatures. */
export interface Piece {
  /** The records in wire format, without compression. */
  readonly wire: Uint8Array;
  readonly count: number;
  readonly sets: readonly Rrset[];
}

/** An RRset in the form of a reply, with its signatures if it is in a signed zone. */
export class SignedSet implements Rrset, Piece {
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: readonly Uint8Array[];
  readonly sets = [this];
  #rrsig: SignedSet | undefined;
  #withSignatures: Piece | undefined;
  renewAtSeconds = 0;
  signing: Promise<void> | undefined;
  #wire: Buffer | undefined;

  constructor({ name, type, ttl, rdata }: Rrset) {
    this.name = name;
    this.type = type;
    this.ttl = ttl;
    this.rdata = rdata;
  }

  get wire(): Uint8Array {
    return (this.#wire ??= encodeRecords(this));
  }

  get count(): number {
    return this.rdata.length;
  }

  /** The signatures; undefined until they are made. */
  get rrsig(): SignedSet | undefined {
    return this.#rrsig;
  }

  set rrsig(rrsig: SignedSet | undefined) {
    this.#rrsig = rrsig;
    this.#withSignatures = undefined;
  }

  /** The set must have signatures. */
  get withSignatures(): Piece {
    const rrsig = this.#rrsig!;
    return (this.#withSignatures ??= {
      wire: Buffer.concat([this.wire, rrsig.wire]),
      count: this.count + rrsig.count,
      sets: [this, rrsig],
    });
  }

  /** Returns the same records with the same signatures under another name or TTL. */
  as(changed: { readonly name?: string; readonly ttl?: number }): SignedSet {
    const { name, type, ttl, rdata } = this;
    const copy = new SignedSet({ name, type, ttl, rdata, ...changed });
    copy.rrsig = this.rrsig?.as(changed);
    return copy;
  }
}

/** Types that all keys sign: each of the DS records at the parent, old or new, must lead to them. */
export const keyTypes: ReadonlySet<number> = new Set([rrTypes.DNSKEY, rrTypes.CDS, rrTypes.CDNSKEY]);

/** More signatures than a busy zone needs, and a small part of a core. */
const signaturesPerSecond = 1000;
const burst = 1000;
/** Resolvers ask again by then. */
const maxQueryWaitMs = 2000;
const maxSigning = 8;

/** Signs few sets at a time, so that the thread pool stays usable. */
export class SigningLimits {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= maxSigning) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}

export class OverSigningLimit extends Error {}

/** How fast one zone is signed, whatever its keys. */
export class SigningPace {
  readonly limits: SigningLimits;
  readonly #nowMs: () => number;
  #nextAtMs = -Infinity;

  constructor(limits: SigningLimits, nowMs = () => performance.now()) {
    this.limits = limits;
    this.#nowMs = nowMs;
  }

  async waitForTurn(signatures: number, reason: SigningReason): Promise<void> {
    const nowMs = this.#nowMs();
    const earliestMs = nowMs - (burst * 1000) / signaturesPerSecond;
    const atMs = Math.max(this.#nextAtMs, earliestMs) + (signatures * 1000) / signaturesPerSecond;
    if (reason === 'query' && atMs - nowMs > maxQueryWaitMs)
      throw new OverSigningLimit('too many signatures of one zone are needed');
    this.#nextAtMs = atMs;
    if (atMs > nowMs) await sleep(atMs - nowMs, undefined, { ref: false });
  }
}

/** A transfer waits for as long as it takes. */
export type SigningReason = 'query' | 'transfer';

/** Signs the sets of one zone. */
export class ZoneSigner {
  readonly zone: string;
  readonly signing: ZoneSigning;
  readonly pace: SigningPace;
  readonly #nowSeconds: () => number;

  constructor(zone: string, signing: ZoneSigning, pace: SigningPace, nowSeconds: () => number) {
    this.zone = zone;
    this.signing = signing;
    this.pace = pace;
    this.#nowSeconds = nowSeconds;
  }

  /** Returns true if both make the same signatures, except of the zone's keys. */
  hasSameActiveKey({ signing }: ZoneSigner): boolean {
    const active = signing.keys.filter(({ isActive }) => isActive);
    const own = this.signing.keys.filter(({ isActive }) => isActive);
    return own.length === active.length && own.every(({ dnskey }, index) => dnskey.equals(active[index]!.dnskey));
  }

  /** Returns true if the set can be sent. Renews signatures in the background long before they expire. */
  isReady(set: SignedSet): boolean {
    if (set.rrsig === undefined) return false;
    if (!this.isFresh(set)) this.sign(set, 'query').catch(() => {});
    return true;
  }

  /** Returns true if the signatures need not be renewed for days. */
  isFresh(set: SignedSet): boolean {
    return set.rrsig !== undefined && set.renewAtSeconds > this.#nowSeconds();
  }

  /** Throws OverSigningLimit if a query would have to wait for too long. */
  sign(set: SignedSet, reason: SigningReason): Promise<void> {
    set.signing ??= this.#sign(set, reason).finally(() => (set.signing = undefined));
    return set.signing;
  }

  async #sign(set: SignedSet, reason: SigningReason): Promise<void> {
    const keys = this.signing.keys.filter(({ isActive }) => isActive || keyTypes.has(set.type));
    await this.pace.waitForTurn(keys.length, reason);
    const now = this.#nowSeconds();
    const expirationSeconds = now + validitySeconds - jitterOf(set);
    const rdata = await Promise.all(
      keys.map((key) =>
        this.pace.limits.run(async () => {
          const header = rrsigHeader(set, {
            algorithm: ecdsaP256,
            keyTag: keyTag(key.dnskey),
            signer: this.zone,
            inceptionSeconds: now - backdatedSeconds,
            expirationSeconds,
          });
          return Buffer.concat([header, await signWith(key.privateKey(), bytesToSign(header, set))]);
        }),
      ),
    );
    set.rrsig = new SignedSet({ name: set.name, type: rrTypes.RRSIG, ttl: set.ttl, rdata });
    set.renewAtSeconds = expirationSeconds - renewalSeconds;
  }
}

function jitterOf({ name, type }: Rrset): number {
  return createHash('sha256').update(`${name} ${type}`).digest().readUInt32BE() % jitterSeconds;
}
