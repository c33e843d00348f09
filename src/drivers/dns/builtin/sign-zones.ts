// The signed zones of a name server, in memory from the first query on that needs their signatures.
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { ImageSource } from './image/image-source.ts';
import { orderKey } from '#protocols/dns/dnssec/canonical.ts';
import type { Answer } from './answer.ts';
import { answerSigned, type SignedAnswer, type SignedQuestion } from './sign-answer.ts';
import { BuildTurns } from './build-turns.ts';
import {
  SigningLimits,
  SigningPace,
  ZoneSigner,
  type SignedSet,
  type SigningReason,
  type ZoneSigning,
} from './sign-set.ts';
import { SignedZone } from './sign-zone.ts';
import type { Zone } from './source.ts';

/** Names of all zones in memory, of which each takes about a kilobyte. The zone that was not used for the longest time goes first. */
const defaultMaxNames = 200_000;
/** Enough to use the thread pool, and few enough that other zones get their turn. */
const signedAtOnce = 32;

interface Entry {
  readonly zone: SignedZone;
  /** False if the zone has to be built again; signatures of what has not changed are kept. */
  isCurrent: boolean;
  /** True if it was answered from since it got its place in the order of use. Moving it each time would cost every query. */
  wasUsed: boolean;
}

export class SignedZones {
  readonly #source: ImageSource;
  readonly #nowSeconds: () => number;
  readonly #maxNames: number;
  readonly #limits = new SigningLimits();
  readonly #turns = new BuildTurns();
  /** By the id of the zone, the least recently used first. */
  readonly #entries = new Map<number, Entry>();

  constructor(source: ImageSource, nowSeconds: () => number, maxNames = defaultMaxNames) {
    this.#source = source;
    this.#maxNames = maxNames;
    this.#nowSeconds = nowSeconds;
  }

  /** Returns the answer if everything that it needs is in memory. */
  answerNow(zoneId: number, question: SignedQuestion): SignedAnswer | undefined {
    const entry = this.#entries.get(zoneId);
    const result = entry?.isCurrent === true ? answerSigned(entry.zone, question) : undefined;
    if (result === undefined || !('answer' in result)) return undefined;
    entry!.wasUsed = true;
    return result.answer;
  }

  /** Returns undefined if the zone is not signed. Throws OverSigningLimit if too many signatures or other zones are needed first. */
  async answer(zone: Zone, asked: Omit<SignedQuestion, 'key'>): Promise<Answer | undefined> {
    const question = { ...asked, key: orderKey(asked.name) };
    for (;;) {
      const signed = await this.#load(zone, 'query');
      if (signed === undefined) return undefined;
      const result = answerSigned(signed, question);
      if ('answer' in result) return listSets(result.answer);
      await Promise.all(result.unsigned.map((set) => signed.signer.sign(set, 'query')));
    }
  }

  /** Yields all sets of the zone for a transfer, the SOA first; nothing if the zone is not signed. */
  async *transfer(zone: Zone): AsyncGenerator<Rrset> {
    const signed = await this.#load(zone, 'transfer');
    if (signed === undefined) return;
    const { soa, signer } = signed;
    yield soa;
    let batch: { set: SignedSet; isSigned: boolean }[] = [];
    const finish = async function* (): AsyncGenerator<Rrset> {
      const unsigned = batch.filter(({ set, isSigned }) => isSigned && !signer.isFresh(set));
      await Promise.all(unsigned.map(({ set }) => signer.sign(set, 'transfer')));
      for (const { set, isSigned } of batch) {
        if (set !== soa) yield set;
        if (isSigned) yield set.rrsig!;
      }
      batch = [];
    };
    // Listed first, because the zone may change in between, and a transfer is of one state.
    const entries = [...signed.allSets()];
    for (const entry of entries) {
      batch.push(entry);
      if (batch.length === signedAtOnce) yield* finish();
    }
    yield* finish();
    yield soa;
  }

  /** To be called when the records at a name of the zone have changed; without a name, when anything may have. */
  changed(zoneId: number, name?: string): void {
    const entry = this.#entries.get(zoneId);
    if (entry === undefined || !entry.isCurrent) return;
    const { zone } = entry;
    const setsAt = (changed: string) =>
      this.#source.nodesAt({ id: String(zoneId), name: zone.name }, [changed]).get(changed);
    entry.isCurrent = name !== undefined && zone.replaceName(name, setsAt(name) ?? []);
  }

  /** Returns undefined if the zone is not signed. */
  async #load(zone: Zone, reason: SigningReason): Promise<SignedZone | undefined> {
    const id = Number(zone.id);
    if (this.#source.signing(zone) === undefined || this.#entries.get(id)?.isCurrent === true) return this.#use(zone);
    const names = this.#source.image.zone(id)?.names ?? 0;
    return this.#turns.run(names, reason, () => this.#use(zone));
  }

  #use(zone: Zone): SignedZone | undefined {
    const id = Number(zone.id);
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    const signing = this.#source.signing(zone);
    if (signing === undefined) return undefined;
    const loaded = entry?.isCurrent === true ? entry : this.#build(zone, signing, entry?.zone);
    if (loaded === undefined) return undefined;
    this.#entries.set(id, loaded);
    if (loaded !== entry) this.#makeRoom(id);
    return loaded.zone;
  }

  #build(zone: Zone, signing: ZoneSigning, earlier: SignedZone | undefined): Entry | undefined {
    const rrsets = this.#source.wholeZone(zone);
    if (!rrsets.some(({ name, type }) => name === zone.name && type === rrTypes.SOA)) return undefined;
    const { signer } = earlier ?? {};
    const isSameSigner = signer !== undefined && haveSameKeys(signer.signing, signing);
    const nextSigner = isSameSigner
      ? signer
      : new ZoneSigner(zone.name, signing, signer?.pace ?? new SigningPace(this.#limits), this.#nowSeconds);
    return { zone: new SignedZone(nextSigner, rrsets, earlier), isCurrent: true, wasUsed: false };
  }

  #makeRoom(kept: number): void {
    let names = 0;
    for (const { zone } of this.#entries.values()) names += zone.size;
    for (const [id, entry] of this.#entries) {
      if (names <= this.#maxNames) return;
      if (id === kept) continue;
      this.#entries.delete(id);
      // Comes last, and is dropped only if all others were in use as well.
      if (entry.wasUsed) this.#entries.set(id, Object.assign(entry, { wasUsed: false }));
      else names -= entry.zone.size;
    }
  }
}

function haveSameKeys(left: ZoneSigning, right: ZoneSigning): boolean {
  return (
    left.wantsDs === right.wantsDs &&
    left.keys.length === right.keys.length &&
    left.keys.every(
      (key, index) => key.dnskey.equals(right.keys[index]!.dnskey) && key.isActive === right.keys[index]!.isActive,
    )
  );
}

function listSets({ rcode, authoritative, answers, authorities, additionals }: SignedAnswer): Answer {
  const [answerSets, authoritySets, additionalSets] = [answers, authorities, additionals].map((pieces) =>
    pieces.flatMap(({ sets }) => sets),
  );
  return { rcode, authoritative, answers: answerSets!, authorities: authoritySets!, additionals: additionalSets! };
}
