// Zones held in memory: for a lab, and for the tests of everything that only needs zones from somewhere.
import { chainOfNames } from '#wire/dns/name.ts';
import type { Rrset } from '#wire/dns/rrset.ts';
import type { WantedZone } from '../driver.ts';
import type { Zone, ZoneSource } from './source.ts';

interface Held extends Zone {
  readonly rrsets: readonly Rrset[];
  readonly nodes: ReadonlyMap<string, Rrset[]>;
}

export class MemorySource implements ZoneSource {
  private readonly held = new Map<string, Held>();
  private serial = 1;

  put(zone: WantedZone): void {
    const before = this.held.get(zone.name);
    if (!before) this.serial++;
    const id = before?.id ?? String(this.serial);
    this.held.set(zone.name, { id, name: zone.name, rrsets: zone.rrsets, nodes: nodesOf(zone) });
  }

  delete(name: string): void {
    if (this.held.delete(name)) this.serial++;
  }

  zoneOf(names: readonly string[]): Zone | undefined {
    for (const name of names) {
      const zone = this.held.get(name);
      if (zone) return zone;
    }
    return undefined;
  }

  nodes(zone: Zone, names: readonly string[]): ReadonlyMap<string, readonly Rrset[]> {
    const found = new Map<string, readonly Rrset[]>();
    const nodes = this.held.get(zone.name)?.nodes;
    for (const name of names) {
      const rrsets = nodes?.get(name);
      if (rrsets) found.set(name, rrsets);
    }
    return found;
  }

  wholeZone(zone: Zone): readonly Rrset[] {
    return this.held.get(zone.name)?.rrsets ?? [];
  }

  zones(): readonly Zone[] {
    return [...this.held.values()];
  }

  zonesSerial(): number {
    return this.serial;
  }
}

function nodesOf(zone: WantedZone): Map<string, Rrset[]> {
  const nodes = new Map<string, Rrset[]>();
  for (const rrset of zone.rrsets) {
    for (const name of chainOfNames(rrset.name, zone.name)) if (!nodes.has(name)) nodes.set(name, []);
    nodes.get(rrset.name)!.push(rrset);
  }
  return nodes;
}
