// A zone source in memory, for the lab and for tests.
import type { Rrset } from '#protocols/dns/rrset.ts';
import type { ZoneContent } from '../driver.ts';
import { buildNodes, selectNodes, selectNodesTo, type Zone, type ZoneSource } from './source.ts';

interface StoredZone extends Zone {
  readonly rrsets: readonly Rrset[];
  readonly nodes: ReturnType<typeof buildNodes>;
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
    return names.map((name) => this.stored.get(name)).find((zone) => zone !== undefined);
  }

  nodesAt(zone: Zone, names: readonly string[]): ReadonlyMap<string, readonly Rrset[]> {
    return selectNodes(this.stored.get(zone.name)?.nodes ?? new Map(), names);
  }

  nodesTo(zone: Zone, name: string): ReadonlyMap<string, readonly Rrset[]> {
    return selectNodesTo(this.stored.get(zone.name)?.nodes ?? new Map(), zone, name);
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
