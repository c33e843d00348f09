// All zones in memory, as the name server answers from them. Zones are built unseen and published at once; a change replaces what is at
// a name. The image holds no object per record, so that a million of them fit into little memory and none keeps the garbage collector
// busy.
import { rrTypes } from '#protocols/dns/types.ts';
import type { ZoneSigning } from '../sign-set.ts';
import { Arena } from './arena.ts';
import { NameKey } from './names.ts';
import { readU32, RecordSets } from './sets.ts';
import { NameTrees } from './tree.ts';

/** The tree of the zones' names. */
const zoneTree = 0;

export interface ImageRecord {
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** A zone of the image. `top` is the node of its apex. */
export class ImageZone {
  readonly id: number;
  readonly name: string;
  readonly tree: number;
  readonly labels: number;
  top = 0;
  /** Names with records. */
  names = 0;
  /** Names below the apex at which the zone is delegated, and names with a DNAME. */
  cuts = 0;
  redirects = 0;
  /** The keys of a zone that is signed: answers to queries with the DO bit need signatures. */
  signing: ZoneSigning | undefined;

  constructor(id: number, name: string, tree: number, labels: number) {
    this.id = id;
    this.name = name;
    this.tree = tree;
    this.labels = labels;
  }
}

export class ZoneImage {
  readonly arena = new Arena();
  readonly trees = new NameTrees(this.arena);
  readonly sets = new RecordSets(this.arena);
  /** By their trees; the numbers of removed zones are used again. */
  readonly #zones: (ImageZone | undefined)[] = [undefined];
  readonly #freeTrees: number[] = [];
  readonly #byId = new Map<number, ImageZone>();
  readonly #key = new NameKey();

  /** Called after a change of a name, or of anything in the zone if there is no name. */
  onChange: (zone: ImageZone, name?: string) => void = () => {};

  constructor() {
    this.#key.readText('');
    this.trees.createTop(zoneTree, this.#key);
  }

  zone(id: number): ImageZone | undefined {
    return this.#byId.get(id);
  }

  zones(): IterableIterator<ImageZone> {
    return this.#byId.values();
  }

  /** Creates a zone that is not answered from until it is published. */
  createZone(id: number, name: string): ImageZone {
    const tree = this.#freeTrees.pop() ?? this.#zones.length;
    this.#key.readText(name);
    const zone = new ImageZone(id, name, tree, this.#key.labels);
    zone.top = this.trees.createTop(tree, this.#key);
    this.#zones[tree] = zone;
    return zone;
  }

  /** Makes this zone the one that is answered from, and frees the previous one of its name. */
  publish(zone: ImageZone): void {
    this.#key.readText(zone.name);
    const node = this.trees.ensure(zoneTree, this.#key, this.#key.labels);
    const previous = this.#zones[this.trees.content(node)];
    this.trees.setContent(node, zone.tree);
    if (previous !== undefined) this.#free(previous);
    this.#byId.set(zone.id, zone);
    this.onChange(zone);
  }

  removeZone(zone: ImageZone): void {
    this.#key.readText(zone.name);
    const node = this.trees.find(zoneTree, this.#key, 0);
    this.trees.setContent(node, 0);
    this.trees.prune(node);
    this.#free(zone);
  }

  addRecord(zone: ImageZone, { name, type, ttl, rdata }: ImageRecord): void {
    this.#key.readText(name);
    const node = this.trees.ensure(zone.tree, this.#key, this.#key.labels - zone.labels);
    const first = this.trees.content(node);
    if (first === 0) zone.names++;
    if (this.sets.find(first, type) === 0) countSpecial(zone, node, type, 1);
    this.trees.setContent(node, this.sets.add(first, type, ttl, rdata));
  }

  /** Replaces everything at a name of the zone. */
  replaceName(zone: ImageZone, name: string, records: readonly ImageRecord[]): void {
    this.#key.readText(name);
    const node = this.trees.find(zone.tree, this.#key, 0);
    if (node !== 0) this.#clear(zone, node);
    for (const record of records) this.addRecord(zone, record);
    if (node !== 0) this.trees.prune(node);
    this.onChange(zone, name);
  }

  /**
   * Returns the closest zone at or above the name, from this label on. Names of zones are a tree like any other, so that the search takes
   * a few steps, however many labels the name has.
   */
  findZone(key: NameKey, firstLabel: number): ImageZone | undefined {
    const deepest = this.trees.deepest(zoneTree, key, firstLabel, key.labels);
    for (let node = this.trees.find(zoneTree, key, deepest); node !== 0; node = this.trees.parent(node)) {
      const zone = this.#zones[this.trees.content(node)];
      if (zone !== undefined) return zone;
    }
    return undefined;
  }

  /** The zone of exactly this name. */
  zoneNamed(name: string): ImageZone | undefined {
    this.#key.readText(name);
    const node = this.trees.find(zoneTree, this.#key, 0);
    return node === 0 ? undefined : this.#zones[this.trees.content(node)];
  }

  /** Returns the SOA of the zone, or 0. */
  soa(zone: ImageZone): number {
    return this.sets.find(this.trees.content(zone.top), rrTypes.SOA);
  }

  /** The TTL of a negative answer: the lesser of the SOA's and its last field (RFC 2308 section 3). */
  negativeTtl(soa: number): number {
    const end = this.sets.start(soa) + this.sets.bytes(soa);
    return Math.min(this.sets.ttl(soa), readU32(this.sets.chunk(soa), end - 4));
  }

  #clear(zone: ImageZone, node: number): void {
    const first = this.trees.content(node);
    if (first !== 0) zone.names--;
    for (let set = first; set !== 0; set = this.sets.next(set)) countSpecial(zone, node, this.sets.type(set), -1);
    this.sets.free(first);
    this.trees.setContent(node, 0);
  }

  #free(zone: ImageZone): void {
    for (let node = zone.top; node !== 0; node = this.trees.next(node)) this.sets.free(this.trees.content(node));
    this.trees.removeTree(zone.top);
    this.#zones[zone.tree] = undefined;
    this.#freeTrees.push(zone.tree);
    if (this.#byId.get(zone.id) === zone) this.#byId.delete(zone.id);
  }
}

function countSpecial(zone: ImageZone, node: number, type: number, difference: number): void {
  if (type === rrTypes.NS && node !== zone.top) zone.cuts += difference;
  if (type === rrTypes.DNAME) zone.redirects += difference;
}
