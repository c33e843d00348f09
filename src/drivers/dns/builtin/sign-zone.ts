// A signed zone in memory: its names in canonical order, with what is at them and what proves the gaps between them
// (NSEC, RFC 4034). One search in that order finds a name, its closest encloser, the delegation above it and the proof
// that it does not exist.
import { deletingCdnskey, deletingCds, dsData } from '#protocols/dns/dnssec/keys.ts';
import { orderKey } from '#protocols/dns/dnssec/canonical.ts';
import { nsecData } from '#protocols/dns/dnssec/nsec.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { keyTypes, SignedSet, type ZoneSigner } from './sign-set.ts';

/** Also the time after which a rollover counts on resolvers to know a new key (src/workflows/dns/key-rollover.ts). */
const keyTtlSeconds = 3600;
const addressTypes: ReadonlySet<number> = new Set<number>([rrTypes.A, rrTypes.AAAA]);

/** A name with records, and its place in the zone. */
export interface ZoneName {
  readonly key: string;
  readonly name: string;
  readonly sets: readonly SignedSet[];
  /** Names below belong to the child zone, or are redirected. */
  readonly endsZone: 'delegation' | 'redirection' | undefined;
  nsec: SignedSet | undefined;
  /** An earlier one, whose signature is used again if nothing has changed. */
  readonly formerNsec: SignedSet | undefined;
}

export function setOfType({ sets }: ZoneName, type: number): SignedSet | undefined {
  return sets.find((set) => set.type === type);
}

export class SignedZone {
  readonly name: string;
  readonly signer: ZoneSigner;
  readonly #names: ZoneName[] = [];
  readonly #key: string;
  /** Addresses of name servers below delegations. They are not signed. */
  readonly #glue = new Map<string, SignedSet[]>();
  #negativeSoa: SignedSet | undefined;
  #negativeSoaOf: SignedSet | undefined;

  /** Signatures of equal sets are taken over from an earlier state of the zone. */
  constructor(signer: ZoneSigner, rrsets: readonly Rrset[], earlier?: SignedZone) {
    this.name = signer.zone;
    this.signer = signer;
    this.#key = orderKey(this.name);
    const setsAt = Map.groupBy(rrsets, ({ name }) => name);
    const sorted = [...setsAt].map(([name, sets]) => ({ key: orderKey(name), name, sets })).sort(byKey);
    for (const { key, name, sets } of sorted) {
      const previous = this.#names.at(-1);
      if (previous?.endsZone !== undefined && isBelow(key, previous.key)) {
        this.#addGlue(name, sets);
        continue;
      }
      this.#names.push(this.#createName(key, name, sets, earlier));
    }
  }

  get size(): number {
    return this.#names.length + this.#glue.size;
  }

  get apex(): ZoneName {
    return this.#names[0]!;
  }

  get soa(): SignedSet {
    return setOfType(this.apex, rrTypes.SOA)!;
  }

  /** The SOA of negative answers. */
  get negativeSoa(): SignedSet {
    const { soa } = this;
    if (this.#negativeSoa === undefined || this.#negativeSoaOf !== (soa.rrsig ?? soa)) {
      this.#negativeSoa = soa.as({ ttl: this.negativeTtl });
      this.#negativeSoaOf = soa.rrsig ?? soa;
    }
    return this.#negativeSoa;
  }

  /** The lesser of the SOA's TTL and its last field (RFC 2308 section 3, RFC 9077). */
  get negativeTtl(): number {
    const [rdata] = this.soa.rdata;
    const { buffer, byteOffset, byteLength } = rdata!;
    return Math.min(this.soa.ttl, new DataView(buffer, byteOffset, byteLength).getUint32(byteLength - 4));
  }

  /**
   * Replaces what is at a name. Returns false if that changes more than one name can show: the zone's own delegations,
   * or the TTL of all proofs. The zone must then be built again.
   */
  replaceName(name: string, rrsets: readonly Rrset[]): boolean {
    const key = orderKey(name);
    const index = this.#lastUpTo(key);
    const found = this.#names[index]!;
    const exists = found.key === key;
    if (!exists && found.endsZone !== undefined && isBelow(key, found.key)) {
      this.#glue.delete(name);
      this.#addGlue(name, rrsets);
      return true;
    }
    const next = rrsets.length === 0 ? undefined : this.#createName(key, name, rrsets, this);
    if ((exists ? found.endsZone : undefined) !== next?.endsZone) return false;
    if (found === this.apex && exists) {
      const { negativeTtl } = this;
      if (next === undefined || setOfType(next, rrTypes.SOA) === undefined) return false;
      this.#names[0] = next;
      return this.negativeTtl === negativeTtl;
    }
    const isInsertion = next !== undefined && !exists;
    this.#names.splice(isInsertion ? index + 1 : index, exists ? 1 : 0, ...(next === undefined ? [] : [next]));
    if (exists !== (next !== undefined)) this.#names[isInsertion ? index : index - 1]!.nsec = undefined;
    return true;
  }

  /** Returns the name of this key, if it has records. */
  find(key: string): ZoneName | undefined {
    const found = this.#names[this.#lastUpTo(key)];
    return found?.key === key ? found : undefined;
  }

  /**
   * Returns the last name up to this one. If that is another, `isEmpty` says that there are names below it, and `encloser`
   * is the key of the longest existing name above it.
   */
  locate(key: string): { at: ZoneName; isEmpty: boolean; encloser: string } {
    const index = this.#lastUpTo(key);
    const at = this.#names[index]!;
    const next = this.#names[index + 1]?.key ?? this.#key;
    const isEmpty = isBelow(next, key);
    const shared = Math.max(sharedLabels(key, at.key), sharedLabels(key, next));
    return { at, isEmpty, encloser: key.slice(0, shared) };
  }

  nsecOf(at: ZoneName): SignedSet {
    if (at.nsec === undefined) {
      const next = this.#names[this.#lastUpTo(at.key) + 1] ?? this.apex;
      const rdata = [nsecData(next.name, this.#typesAt(at))];
      const nsec = new SignedSet({ name: at.name, type: rrTypes.NSEC, ttl: this.negativeTtl, rdata });
      at.nsec = at.formerNsec !== undefined && isSame(at.formerNsec, nsec) ? at.formerNsec : nsec;
    }
    return at.nsec;
  }

  glueAt(name: string): readonly SignedSet[] {
    const glue = this.#glue.get(name);
    return glue ?? (this.find(orderKey(name))?.sets ?? []).filter(({ type }) => addressTypes.has(type));
  }

  /** Returns true if the set at this name is signed: of a delegation, only the DS is ours. */
  isAuthoritative({ endsZone }: ZoneName, { type }: Rrset): boolean {
    return endsZone !== 'delegation' || type === rrTypes.DS;
  }

  /** All sets in order, each with whether it is signed. */
  *allSets(): Generator<{ set: SignedSet; isSigned: boolean }> {
    for (const at of this.#names) {
      for (const set of at.sets) yield { set, isSigned: this.isAuthoritative(at, set) };
      yield { set: this.nsecOf(at), isSigned: true };
    }
    for (const sets of this.#glue.values()) for (const set of sets) yield { set, isSigned: false };
  }

  #typesAt(at: ZoneName): number[] {
    const sets =
      at.endsZone === 'delegation' ? at.sets.filter(({ type }) => type === rrTypes.NS || type === rrTypes.DS) : at.sets;
    return [...sets.map(({ type }) => type), rrTypes.RRSIG, rrTypes.NSEC];
  }

  #createName(key: string, name: string, rrsets: readonly Rrset[], earlier?: SignedZone): ZoneName {
    const former = earlier?.signer.hasSameActiveKey(this.signer) === true ? earlier.find(key) : undefined;
    const hasSameKeys = earlier?.signer === this.signer;
    const isApex = key === this.#key;
    const all = isApex ? [...rrsets, ...this.#keySets()] : rrsets;
    const has = (type: number): boolean => all.some((set) => set.type === type);
    const sets = all.map((set) => {
      const kept = former && setOfType(former, set.type);
      const isKept = kept !== undefined && isSame(kept, set) && (hasSameKeys || !keyTypes.has(set.type));
      return isKept ? kept : new SignedSet(copyOf(set));
    });
    const endsZone =
      !isApex && !name.startsWith('*.') && has(rrTypes.NS)
        ? 'delegation'
        : has(rrTypes.DNAME)
          ? 'redirection'
          : undefined;
    return { key, name, sets, endsZone, nsec: undefined, formerNsec: former?.nsec ?? former?.formerNsec };
  }

  #keySets(): Rrset[] {
    const { keys, wantsDs } = this.signer.signing;
    const active = keys.filter(({ isActive }) => isActive).map(({ dnskey }) => dnskey);
    const set = (type: number, rdata: readonly Uint8Array[]) => ({ name: this.name, type, ttl: keyTtlSeconds, rdata });
    return [
      set(
        rrTypes.DNSKEY,
        keys.map(({ dnskey }) => dnskey),
      ),
      set(rrTypes.CDS, wantsDs ? active.map((dnskey) => dsData(this.name, dnskey)) : [deletingCds]),
      set(rrTypes.CDNSKEY, wantsDs ? active : [deletingCdnskey]),
    ];
  }

  #addGlue(name: string, rrsets: readonly Rrset[]): void {
    const glue = rrsets.filter(({ type }) => addressTypes.has(type)).map((set) => new SignedSet(copyOf(set)));
    if (glue.length > 0) this.#glue.set(name, glue);
  }

  /** The index of the last name whose key is not greater. Every name of the zone has the apex before it. */
  #lastUpTo(key: string): number {
    let [low, high] = [0, this.#names.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#names[middle]!.key <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function byKey(left: { key: string }, right: { key: string }): number {
  return left.key < right.key ? -1 : Number(left.key > right.key);
}

export function isBelow(key: string, above: string): boolean {
  return key.length > above.length && key.charCodeAt(above.length) === 0 && key.startsWith(above);
}

/** Returns how much of the first key its longest common ancestor with the other one has. */
function sharedLabels(key: string, other: string): number {
  let length = 0;
  while (length < key.length && key.charCodeAt(length) === other.charCodeAt(length)) length++;
  const isEnd = (text: string): boolean => length === text.length || text.charCodeAt(length) === 0;
  return isEnd(key) && isEnd(other) ? length : key.lastIndexOf('\0', length - 1);
}

/** The source may use its memory for something else after a change. */
function copyOf(set: Rrset): Rrset {
  return { ...set, rdata: set.rdata.map((data) => Buffer.from(data)) };
}

function isSame(left: Rrset, right: Rrset): boolean {
  return (
    left.ttl === right.ttl &&
    left.rdata.length === right.rdata.length &&
    left.rdata.every((data, index) => Buffer.compare(data, right.rdata[index]!) === 0)
  );
}
