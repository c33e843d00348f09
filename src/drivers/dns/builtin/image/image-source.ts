// The image as a source of answers for everything that is not a plain query: transfers, signed requests, the catalog.
import { Reader } from '#protocols/dns/reader.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import type { ZoneSigning } from '../sign-set.ts';
import { wildcardName, type Zone, type ZoneSource } from '../source.ts';
import type { ImageZone, ZoneImage } from './image.ts';
import { NameKey } from './names.ts';

/** Everything is in memory, so nothing has to be waited for. */
export interface ImageSource extends ZoneSource {
  readonly image: ZoneImage;
  nodesAt(zone: Zone, names: readonly string[]): ReadonlyMap<string, readonly Rrset[]>;
  wholeZone(zone: Zone): readonly Rrset[];
  signing(zone: Zone): ZoneSigning | undefined;
}

/** `zonesSerial` is that of the catalog. */
export function imageSource(image: ZoneImage, zonesSerial: ZoneSource['zonesSerial']): ImageSource {
  const key = new NameKey();
  const zoneOf = ({ name }: Zone): ImageZone | undefined => image.zoneNamed(name);

  function setsAt(node: number, name: string): Rrset[] {
    const sets: Rrset[] = [];
    for (let set = image.trees.content(node); set !== 0; set = image.sets.next(set)) {
      // Copied, because the image may change before they are sent.
      const rdata = image.sets.rdata(set).map((data) => Buffer.from(data));
      sets.push({ name, type: image.sets.type(set), ttl: image.sets.ttl(set), rdata });
    }
    return sets;
  }

  return {
    image,
    zonesSerial,
    findZone(names) {
      for (const name of names) {
        const zone = image.zoneNamed(name);
        if (zone !== undefined) return zoneShape(zone);
      }
      return undefined;
    },
    nodesAt(zone, names) {
      const tree = zoneOf(zone)?.tree;
      const nodes = new Map<string, Rrset[]>();
      for (const name of tree === undefined ? [] : names) {
        key.readText(name);
        const node = image.trees.find(tree!, key, 0);
        if (node !== 0) nodes.set(name, setsAt(node, name));
      }
      return nodes;
    },
    nodesTo(zone, name) {
      const nodes = new Map<string, Rrset[]>();
      const found = zoneOf(zone);
      if (found === undefined) return nodes;
      const { trees } = image;
      key.readText(name);
      const deepest = trees.deepest(found.tree, key, 0, key.labels - found.labels);
      const deepestNode = trees.find(found.tree, key, deepest);
      for (let node = deepestNode; node !== 0; node = trees.parent(node)) {
        const owner = nameText(trees.name(node));
        nodes.set(owner, setsAt(node, owner));
      }
      const wildcard = deepest === 0 ? 0 : trees.findWildcard(found.tree, key, deepest);
      const wildcardOwner = wildcardName(nameText(trees.name(deepestNode)));
      if (wildcard !== 0) nodes.set(wildcardOwner, setsAt(wildcard, wildcardOwner));
      return nodes;
    },
    wholeZone(zone) {
      const rrsets: Rrset[] = [];
      for (let node = zoneOf(zone)?.top ?? 0; node !== 0; node = image.trees.next(node))
        rrsets.push(...setsAt(node, nameText(image.trees.name(node))));
      return rrsets;
    },
    signing: (zone) => zoneOf(zone)?.signing,
    zones: () => Array.from(image.zones(), zoneShape),
  };
}

function zoneShape({ id, name }: ImageZone): Zone {
  return { id: String(id), name };
}

function nameText(wire: Uint8Array): string {
  return new Reader(wire).name();
}
