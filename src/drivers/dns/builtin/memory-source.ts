// A zone source in memory, for the lab and for tests.
import { ancestorNames } from '#protocols/dns/name.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import type { ZoneContent } from '../driver.ts';
import type { Zone, ZoneSource } from './source.ts';

interface StoredZone extends Zone {
  readonly rrsets: readonly Rrset[];
  readonly nodes: ReadonlyMap<string, Rrset[]>;
}

export class MemorySource implements ZoneSource {
  private readonly stored = new Map<string, StoredZone>();
  private serial = 1;

  put(zone: ZoneContent): void {
    const existing = this.stored.get(zone.name);
    if (!existing) this.serial++;
    const id = existing?.id ?? String(this.serial);
    this.stored.set(zone.name, { id, name: zone.name, rrsets: zone.rrsets, nodes: buildNodes(zone) });
  }

  delete(name: string): void {
    if (this.stored.delete(name)) this.serial++;
  }

  findZone(names: readonly string[]): Zone | undefined {
    for (const name of names) {
      const zone = this.stored.get(name);
      if (zone) return zone;
    }
    return undefined;
  }

  nodes(zone: Zone, names: readonly string[]): ReadonlyMap<string, readonly Rrset[]> {
    const matches = new Map<string, readonly Rrset[]>();
    const nodes = this.stored.get(zone.name)?.nodes;
    for (const name of names) {
      const rrsets = nodes?.get(name);
      if (rrsets) matches.set(name, rrsets);
    }
    return matches;
  }

  wholeZone(zone: Zone): readonly Rrset[] {
    return this.stored.get(zone.name)?.rrsets ?? [];
  }

  zones(): readonly Zone[] {
    return [...this.stored.values()];
  }

  zonesSerial(): number {
    return this.serial;
  }
}

function buildNodes(zone: ZoneContent): Map<string, Rrset[]> {
  const nodes = new Map<string, Rrset[]>();
  for (const rrset of zone.rrsets) {
    for (const name of ancestorNames(rrset.name, zone.name)) if (!nodes.has(name)) nodes.set(name, []);
    nodes.get(rrset.name)!.push(rrset);
  }
  return nodes;
}
