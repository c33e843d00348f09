// Keeps the name server's image current: it looks at the log of changes every second, and at once after a change of this
// process. While the database is down, the image does not change.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Freshness } from '#drivers/dns/builtin/freshness.ts';
import type { Reader } from '#store/engine/reader.ts';
import { keptChanges, zoneChangesPosition, zoneChangesSince, type ZoneChange } from '#store/dns/zone-changes.ts';
import { loadZones, readChanges, reloadZones, type LoadedZones } from './zone-loader.ts';

export const pollMs = 1000;
/** A query waits for a change no longer than this. */
const maxCatchUpMs = 100;

/** Counts the changes that this process has committed, in shared memory. */
export type CommitCount = Int32Array<SharedArrayBuffer>;

export function createCommitCount(): CommitCount {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

export interface FollowedChanges {
  /** The zones that have changed and still exist. */
  readonly names: readonly string[];
  /** True if zones were added or removed. */
  readonly isListChanged: boolean;
}

export class ZoneFeed implements Freshness {
  readonly #reader: Reader;
  readonly #zones: LoadedZones;
  readonly #commits: CommitCount;
  readonly #onError: (error: unknown) => void;
  #position = 0;
  /** The highest id seen, and those from the position on that have been applied. */
  #last = 0;
  #applied = new Set<number>();
  /** The commits that were counted when the last look at the log began. */
  #seenCommits = 0;
  #look: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Called after changes, of whichever process. */
  onChange: (changed: FollowedChanges) => void = () => {};

  constructor(reader: Reader, zones: LoadedZones, commits: CommitCount, onError: (error: unknown) => void) {
    this.#reader = reader;
    this.#zones = zones;
    this.#commits = commits;
    this.#onError = onError;
  }

  /** Loads everything, and keeps it current from then on. */
  async start(): Promise<void> {
    this.#seenCommits = Atomics.load(this.#commits, 0);
    await this.#reader.readSnapshot(async (reader) => {
      const { position, last } = await zoneChangesPosition(reader);
      await loadZones(reader, this.#zones);
      this.#position = position;
      this.#last = last;
    });
    this.#timer = setInterval(() => void this.#lookAtLog(), pollMs);
  }

  isStale(): boolean {
    return Atomics.load(this.#commits, 0) !== this.#seenCommits;
  }

  async catchUp(): Promise<void> {
    await Promise.race([this.#lookUntilFresh(), sleep(maxCatchUpMs, undefined, { ref: false })]);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#look;
  }

  async #lookUntilFresh(): Promise<void> {
    while (this.isStale()) await this.#lookAtLog();
  }

  /** One look at a time. */
  #lookAtLog(): Promise<void> {
    this.#look ??= this.#applyChanges()
      .catch(this.#onError)
      .finally(() => void (this.#look = undefined));
    return this.#look;
  }

  async #applyChanges(): Promise<void> {
    const commits = Atomics.load(this.#commits, 0);
    const isNew = ({ id }: ZoneChange): boolean => !this.#applied.has(id);
    let changes: readonly ZoneChange[] = [];
    try {
      // Without a reason to expect changes, one statement has to do.
      if (!this.isStale()) {
        changes = await zoneChangesSince(this.#reader, this.#position);
        if (!changes.some(isNew)) return this.#advance(changes);
      }
      const apply = await this.#reader.readSnapshot(async (reader) => {
        changes = await zoneChangesSince(reader, this.#position);
        return this.#hasMissed(changes) ? 'reload' : readChanges(reader, this.#zones, changes.filter(isNew));
      });
      const { image, zonesSerial } = this.#zones;
      if (apply === 'reload') await reloadZones(this.#reader, this.#zones);
      else apply();
      const ids = new Set(changes.filter(isNew).map(({ zone_id }) => zone_id));
      this.#advance(changes);
      const changed = apply === 'reload' ? image.zones() : Array.from(ids, (id) => image.zone(id));
      const names = Array.from(changed, (zone) => zone?.name).filter((name) => name !== undefined);
      if (ids.size > 0) this.onChange({ names, isListChanged: zonesSerial !== this.#zones.zonesSerial });
    } finally {
      // Also after a failure: queries do not wait for a database that is down.
      this.#seenCommits = commits;
    }
  }

  /** Remembers that these changes, which are all since the position, have been applied. */
  #advance(changes: readonly ZoneChange[]): void {
    const last = changes.at(-1);
    this.#position = last?.position ?? this.#position;
    this.#last = Math.max(this.#last, last?.id ?? 0);
    this.#applied = new Set(changes.map(({ id }) => id));
  }

  /** Returns true if the log may have lost rows that were never seen. Some may have become visible long after later ones. */
  #hasMissed([first]: readonly ZoneChange[]): boolean {
    return first !== undefined && first.removed > Math.max(0, this.#last - keptChanges / 2);
  }
}
