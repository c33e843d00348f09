// Authoritative answers from a signed zone, with signatures and proofs (RFC 4035 section 3). A chain of aliases is
// followed within the zone; the resolver asks for the rest.
import { orderKey } from '#protocols/dns/dnssec/canonical.ts';
import { isWithin, maxNameBytes, wireLength } from '#protocols/dns/name.ts';
import { Reader } from '#protocols/dns/reader.ts';
import { rcodes, rrTypes } from '#protocols/dns/types.ts';
import { Writer } from '#protocols/dns/writer.ts';
import { maxAliases, maxGlueServers } from './answer.ts';
import { SignedSet, type Piece } from './sign-set.ts';
import { isBelow, setOfType, type SignedZone, type ZoneName } from './sign-zone.ts';

export interface SignedAnswer {
  readonly rcode: number;
  readonly authoritative: boolean;
  readonly answers: readonly Piece[];
  readonly authorities: readonly Piece[];
  readonly additionals: readonly Piece[];
}

export interface SignedQuestion {
  readonly name: string;
  /** The order key of the name. */
  readonly key: string;
  readonly type: number;
  readonly dnssecOk: boolean;
}

/** Types that only signed zones have. They are answered here even if the resolver does not ask for signatures. */
export function isSigningType(type: number): boolean {
  return (type >= rrTypes.RRSIG && type <= rrTypes.DNSKEY) || type === rrTypes.CDS || type === rrTypes.CDNSKEY;
}

/** Returns the answer, or the sets that have to be signed first. */
export function answerSigned(
  zone: SignedZone,
  question: SignedQuestion,
): { readonly answer: SignedAnswer } | { readonly unsigned: readonly SignedSet[] } {
  const search = new Search(zone, question.type, question.dnssecOk);
  search.run(question);
  return search.unsigned.length > 0 ? { unsigned: search.unsigned } : { answer: search };
}

class Search implements SignedAnswer {
  rcode: number = rcodes.NOERROR;
  authoritative = true;
  answers: Piece[] = [];
  readonly authorities: Piece[] = [];
  readonly additionals: Piece[] = [];
  readonly unsigned: SignedSet[] = [];
  readonly #zone: SignedZone;
  readonly #type: number;
  readonly #dnssecOk: boolean;

  constructor(zone: SignedZone, type: number, dnssecOk: boolean) {
    this.#zone = zone;
    this.#type = type;
    this.#dnssecOk = dnssecOk;
  }

  run(question: Pick<SignedQuestion, 'name' | 'key'>): void {
    let next = this.#step(question.key, question);
    for (let aliases = 1; next !== undefined && isWithin(next, this.#zone.name); aliases++) {
      if (aliases > maxAliases) {
        this.answers = [];
        this.rcode = rcodes.SERVFAIL;
        return;
      }
      next = this.#step(orderKey(next), { name: next });
    }
  }

  /** Returns the name with which the search continues. The name of this key is read only if it is needed. */
  #step(key: string, owner: { readonly name: string }): string | undefined {
    const zone = this.#zone;
    const { at, isEmpty, encloser } = zone.locate(key);
    if (at.key === key) {
      if (at.endsZone === 'delegation' && this.#type !== rrTypes.DS) return this.#refer(at);
      return this.#answerFrom(at);
    }
    if (at.endsZone !== undefined && isBelow(key, at.key))
      return at.endsZone === 'delegation' ? this.#refer(at) : this.#redirect(at, owner.name);
    if (isEmpty) return this.#deny(rcodes.NOERROR, at);
    const wildcard = zone.locate(`${encloser}\0*`);
    if (wildcard.at.key === `${encloser}\0*`) return this.#answerFrom(wildcard.at, { name: owner.name, at });
    return this.#deny(wildcard.isEmpty ? rcodes.NOERROR : rcodes.NXDOMAIN, at, wildcard.at);
  }

  /** If a wildcard is expanded to a name, the NSEC at `at` shows that nothing closer exists. */
  #answerFrom(from: ZoneName, expanded?: { readonly name: string; readonly at: ZoneName }): string | undefined {
    if (this.#type === rrTypes.RRSIG) return this.#giveSignatures(from, expanded?.name);
    const set = this.#setAt(from);
    if (set !== undefined) return this.#give(from, set, expanded);
    const alias = setOfType(from, rrTypes.CNAME);
    if (alias === undefined) return this.#deny(rcodes.NOERROR, expanded?.at ?? from, from);
    this.#give(from, alias, expanded);
    return new Reader(alias.rdata[0]!).name();
  }

  #setAt(from: ZoneName): SignedSet | undefined {
    if (this.#type === rrTypes.NSEC) return this.#zone.nsecOf(from);
    return this.#type === rrTypes.ANY ? from.sets[0] : setOfType(from, this.#type);
  }

  #give(from: ZoneName, set: SignedSet, expanded?: { readonly name: string; readonly at: ZoneName }): undefined {
    const isSigned = this.#dnssecOk && this.#zone.isAuthoritative(from, set);
    if (isSigned && !this.#require(set)) return;
    const given = expanded === undefined ? set : set.as({ name: expanded.name });
    this.answers.push(isSigned ? given.withSignatures : given);
    if (expanded !== undefined) this.#prove(expanded.at);
  }

  #giveSignatures(from: ZoneName, name = from.name): undefined {
    for (const set of [...from.sets, this.#zone.nsecOf(from)])
      if (this.#zone.isAuthoritative(from, set) && this.#require(set)) this.answers.push(set.rrsig!.as({ name }));
  }

  #refer(at: ZoneName): undefined {
    this.authoritative = this.answers.length > 0;
    const ns = setOfType(at, rrTypes.NS)!;
    this.authorities.push(ns);
    if (this.#dnssecOk) this.#addSigned(setOfType(at, rrTypes.DS) ?? this.#zone.nsecOf(at));
    for (const data of ns.rdata.slice(0, maxGlueServers)) {
      const server = new Reader(data).name();
      if (isWithin(server, this.#zone.name)) this.additionals.push(...this.#zone.glueAt(server));
    }
  }

  /** Adds the DNAME and the CNAME that follows from it, which is not signed (RFC 6672 section 5.3.1). */
  #redirect(at: ZoneName, name: string): string | undefined {
    const dname = setOfType(at, rrTypes.DNAME)!;
    if (!this.#require(dname)) return undefined;
    this.answers.push(this.#dnssecOk ? dname.withSignatures : dname);
    const target = new Reader(dname.rdata[0]!).name();
    const labels = name.slice(0, name.length - at.name.length - 1);
    const newName = target === '' ? labels : `${labels}.${target}`;
    if (wireLength(newName) > maxNameBytes) {
      this.rcode = rcodes.YXDOMAIN;
      return undefined;
    }
    const rdata = new Writer(64);
    rdata.name(newName);
    this.answers.push(new SignedSet({ name, type: rrTypes.CNAME, ttl: dname.ttl, rdata: [rdata.finish()] }));
    return newName;
  }

  #deny(rcode: number, ...proof: readonly [ZoneName, ZoneName?]): undefined {
    this.rcode = rcode;
    if (!this.#dnssecOk) this.authorities.push(this.#zone.negativeSoa);
    else if (this.#require(this.#zone.soa)) this.authorities.push(this.#zone.negativeSoa.withSignatures);
    const [first, second = first] = proof;
    this.#prove(first);
    if (second !== first) this.#prove(second);
  }

  #prove(at: ZoneName): void {
    if (this.#dnssecOk) this.#addSigned(this.#zone.nsecOf(at));
  }

  #addSigned(set: SignedSet): void {
    if (this.#require(set)) this.authorities.push(set.withSignatures);
  }

  /** Returns false if the set still has to be signed. */
  #require(set: SignedSet): boolean {
    if ((!this.#dnssecOk && this.#type !== rrTypes.RRSIG) || this.#zone.signer.isReady(set)) return true;
    this.unsigned.push(set);
    return false;
  }
}
