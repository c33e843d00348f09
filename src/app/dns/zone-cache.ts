// The compiled form of a small zone, by the zone's revision, which every change increments on any engine and any number of
// instances: panels and scripts read the same zones over and over.
import { BoundedMap } from '#lib/bounded-map.ts';
import type { Zone } from '#store/dns/zones.ts';
import type { Store } from '#store/store.ts';

const maxCachedZones = 500;
const maxCachedRecords = 50;

export class ZoneCache<Content> {
  readonly #ofStore = new WeakMap<
    Store,
    BoundedMap<number, { readonly revision: number; readonly content: Content }>
  >();

  find(store: Store, { id, revision }: Zone): Content | undefined {
    const known = this.#ofStore.get(store)?.get(id);
    return known?.revision === revision ? known.content : undefined;
  }

  /** Ignores large zones, which would take too much memory. */
  keep(store: Store, { id, revision, record_count }: Zone, content: Content): void {
    if (record_count > maxCachedRecords) return;
    const zones = this.#ofStore.get(store) ?? new BoundedMap(maxCachedZones);
    zones.set(id, { revision, content });
    this.#ofStore.set(store, zones);
  }
}
