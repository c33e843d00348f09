// Answers plain queries from the image, from bytes to bytes, by the rules of `answer.ts` (RFC 1034 section 4.3.2, RFC 4592, RFC 2308,
// RFC 6672). Nothing is allocated, and the work does not grow with the number of labels, names or zones.
import { Reader } from '#protocols/dns/reader.ts';
import { headerFlags, rcodes, rrTypes } from '#protocols/dns/types.ts';
import { maxAliases, maxGlueServers } from './answer.ts';
import type { FastQuery } from './fast-query.ts';
import type { ImageZone, ZoneImage } from './image/image.ts';
import { maxNameBytes } from '#protocols/dns/name.ts';
import { NameKey } from './image/names.ts';
import { readU16, recordAt } from './image/sets.ts';
import { ReplyWriter } from './reply-writer.ts';
import { isSigningType } from './sign-answer.ts';
import type { SignedZones } from './sign-zones.ts';

/** What follows from a name in a zone: the reply is complete, lacks space, or the search continues with another name. */
type Outcome = 'complete' | 'no space' | 'continue';

const sections = ['answers', 'authorities', 'additionals'] as const;

export interface FastAnswerSettings {
  readonly catalog?: string | undefined;
  readonly signedZones?: SignedZones | undefined;
  readonly nsid?: string | undefined;
}

export class FastAnswer {
  readonly reply: ReplyWriter;
  readonly #image: ZoneImage;
  readonly #signedZones: SignedZones | undefined;
  readonly #glueKey = new NameKey();
  /** The name of the catalog zone, which is not in the image. */
  readonly #catalog: NameKey | undefined;

  constructor(image: ZoneImage, { catalog, signedZones, nsid = '' }: FastAnswerSettings) {
    this.#image = image;
    this.#signedZones = signedZones;
    this.reply = new ReplyWriter(image.sets, Buffer.from(nsid));
    if (catalog !== undefined) {
      this.#catalog = new NameKey();
      this.#catalog.readText(catalog);
    }
  }

  /**
   * Writes the reply to `out` from `base` on. Returns its length, or 0 if `respond.ts` has to answer. A limited reply only tells the
   * resolver to ask again over TCP.
   */
  write(query: FastQuery, out: Uint8Array, base: number, maxBytes: number, isLimited: boolean): number {
    const { reply } = this;
    reply.begin(query, out, base, maxBytes);
    if (query.version > 0) reply.rcode = rcodes.BADVERS;
    else if (query.isMalformed) reply.rcode = rcodes.FORMERR;
    else if (isLimited) reply.truncate();
    else if (!this.#answer(query)) return 0;
    return reply.finish();
  }

  /** Returns false if the answer has to come from elsewhere. */
  #answer({ type, dnssecOk }: FastQuery): boolean {
    const { reply } = this;
    for (let aliases = 0; ; aliases++) {
      if (this.#isInCatalog()) return false;
      const zone = this.#findZone(type);
      if (zone?.signing !== undefined && (dnssecOk || isSigningType(type)))
        return aliases === 0 && this.#answerSigned(zone, type, dnssecOk);
      if (aliases > maxAliases) reply.fail(rcodes.SERVFAIL);
      else if (zone === undefined && aliases === 0) reply.fail(rcodes.REFUSED);
      // If a CNAME leads out of our zones, the resolver continues elsewhere.
      else if (zone !== undefined) {
        const outcome = this.#answerFrom(zone, type);
        if (outcome === 'continue') continue;
        if (outcome === 'no space') reply.truncate();
      }
      return true;
    }
  }

  /** Returns false if the answer has to be signed first, or lacks space without compression. */
  #answerSigned({ id }: ImageZone, type: number, dnssecOk: boolean): boolean {
    const { reply } = this;
    const { name: key } = reply;
    const question = {
      key: key.orderKey(),
      // Read only for wildcards and redirections.
      get name() {
        return new Reader(key.bytes).name();
      },
      type,
      dnssecOk,
    };
    const answer = this.#signedZones?.answerNow(id, question);
    if (answer === undefined) return false;
    reply.rcode = answer.rcode;
    if (answer.authoritative) reply.flags |= headerFlags.AUTHORITATIVE;
    for (const section of sections)
      for (const { wire, count } of answer[section]) {
        if (!reply.writeRecords(wire)) return false;
        reply[section] += count;
      }
    return true;
  }

  /** True now and then for other names with the same hash as well, which then take longer. */
  #isInCatalog(): boolean {
    const { name } = this.reply;
    const catalog = this.#catalog;
    if (catalog === undefined || name.labels < catalog.labels) return false;
    return name.hashes[name.labels - catalog.labels] === catalog.hashes[0];
  }

  /** DS records belong to the parent's side of a zone cut, so the zone of that name is tried last. */
  #findZone(type: number): ImageZone | undefined {
    const { name } = this.reply;
    const aboveCut = type === rrTypes.DS && name.labels > 0 ? this.#image.findZone(name, 1) : undefined;
    return aboveCut ?? this.#image.findZone(name, 0);
  }

  #answerFrom(zone: ImageZone, type: number): Outcome {
    const { trees, sets } = this.#image;
    const { reply } = this;
    const { name } = reply;
    const soa = this.#image.soa(zone);
    if (soa === 0) {
      reply.flags &= ~headerFlags.AUTHORITATIVE;
      reply.fail(rcodes.SERVFAIL);
      return 'complete';
    }
    const apexLabel = name.labels - zone.labels;
    const deepest = trees.deepest(zone.tree, name, 0, apexLabel);
    let node = trees.find(zone.tree, name, deepest);
    if (zone.cuts > 0 || zone.redirects > 0) {
      const barrier = this.#findBarrier(zone, node, deepest, type);
      if (barrier !== 0) {
        const isCut = barrier !== zone.top && sets.find(trees.content(barrier), rrTypes.NS) !== 0;
        return isCut ? this.#refer(zone, barrier, apexLabel) : this.#redirect(barrier);
      }
    }

    reply.flags |= headerFlags.AUTHORITATIVE;
    if (deepest > 0) node = trees.findWildcard(zone.tree, name, deepest);
    if (node === 0) reply.rcode = rcodes.NXDOMAIN;
    const first = node === 0 ? 0 : trees.content(node);
    // A query for all types gets one set, so that replies stay small (RFC 8482 section 4.1).
    const found = type === rrTypes.ANY ? first : sets.find(first, type);
    if (found !== 0) return reply.writeAnswer(found, apexLabel) ? 'complete' : 'no space';
    const alias = sets.find(first, rrTypes.CNAME);
    if (alias === 0) return reply.writeNegative(soa, this.#image.negativeTtl(soa), apexLabel) ? 'complete' : 'no space';
    const aliasOffset = reply.length;
    if (!reply.writeAnswer(alias, apexLabel)) return 'no space';
    reply.followAlias(aliasOffset);
    return 'continue';
  }

  /**
   * Returns the topmost node above the name at which the zone ends (NS) or continues elsewhere (DNAME), or 0. The DS of a delegation is
   * the zone's own.
   */
  #findBarrier(zone: ImageZone, deepestNode: number, deepest: number, type: number): number {
    const { trees, sets } = this.#image;
    let barrier = 0;
    let label = deepest;
    for (let node = deepestNode; node !== 0; node = trees.parent(node), label++) {
      const first = trees.content(node);
      const isCut = node !== zone.top && !(label === 0 && type === rrTypes.DS) && sets.find(first, rrTypes.NS) !== 0;
      if (isCut || (label > 0 && sets.find(first, rrTypes.DNAME) !== 0)) barrier = node;
    }
    return barrier;
  }

  #refer(zone: ImageZone, cut: number, apexLabel: number): Outcome {
    const { trees, sets } = this.#image;
    const { reply } = this;
    const ns = sets.find(trees.content(cut), rrTypes.NS);
    if (!reply.writeSet(ns, reply.name.length - trees.nameLength(cut), apexLabel)) return 'no space';
    reply.authorities += sets.count(ns);
    const chunk = sets.chunk(ns);
    const end = sets.start(ns) + sets.bytes(ns);
    let at = sets.start(ns);
    for (let servers = 0; at < end && servers < maxGlueServers; servers++) {
      const rdataEnd = at + recordAt.rdata + readU16(chunk, at + recordAt.length);
      this.#glueKey.read(chunk, at + recordAt.rdata, rdataEnd);
      if (!this.#writeGlue(zone)) {
        // Glue that does not fit must be asked for over TCP (RFC 9471), unless there is an answer to begin with.
        if (reply.answers === 0) reply.flags |= headerFlags.TRUNCATED;
        break;
      }
      at = rdataEnd;
    }
    return 'complete';
  }

  /** Writes the addresses of the server if it is within the zone. */
  #writeGlue(zone: ImageZone): boolean {
    const { trees, sets } = this.#image;
    const node = trees.find(zone.tree, this.#glueKey, 0);
    for (let set = node === 0 ? 0 : trees.content(node); set !== 0; set = sets.next(set)) {
      const isAddress = sets.type(set) === rrTypes.A || sets.type(set) === rrTypes.AAAA;
      if (isAddress && !this.reply.writeGlue(set, this.#glueKey)) return false;
    }
    return true;
  }

  /** Writes the DNAME and the CNAME that follows from it. A name that becomes too long is YXDOMAIN. */
  #redirect(node: number): Outcome {
    const { trees, sets } = this.#image;
    const { reply } = this;
    reply.flags |= headerFlags.AUTHORITATIVE;
    const set = sets.find(trees.content(node), rrTypes.DNAME);
    const ownerStart = reply.name.length - trees.nameLength(node);
    if (!reply.writeSet(set, ownerStart, 0)) return 'no space';
    reply.answers++;
    const chunk = sets.chunk(set);
    const targetAt = sets.start(set) + recordAt.rdata;
    const targetBytes = readU16(chunk, targetAt - 2);
    if (ownerStart + targetBytes > maxNameBytes) {
      reply.rcode = rcodes.YXDOMAIN;
      return 'complete';
    }
    const aliasOffset = reply.length;
    if (!reply.writeSynthesized(sets.ttl(set), ownerStart, chunk, targetAt, targetBytes)) return 'no space';
    reply.followAlias(aliasOffset);
    return 'continue';
  }
}
