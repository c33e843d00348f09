// The meters of a switch's ports or a hypervisor's machines. They are stored when an interval ends, together with its samples;
// readings in between stay in memory. If another instance continues, or after a crash, the stored meters and the next reading give
// the same bytes, only with a coarser split between two intervals.
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import {
  deviceMetersFind,
  deviceMetersReplace,
  deviceMetersVersion,
  type SampleKind,
} from '#store/network/sample-blocks.ts';
import type { JsonColumn } from '#store/json-column.ts';
import type { Queries, Store } from '#store/store.ts';
import type { Meter } from '#traffic/meter.ts';
import { PackedMeters } from '#traffic/packed-meters.ts';
import type { MemberSample } from '#traffic/sample-block.ts';
import { addBlocks } from './sample-blocks.ts';

export interface DeviceMeters<Meters> {
  /** Of the stored meters that these continue. */
  readonly version: number;
  readonly byMember: MeterLookup<Meters>;
}

/** A part of a Map. */
interface MeterLookup<Meters> extends Iterable<[number, Meters]> {
  has(member: number): boolean;
  get(member: number): Meters | undefined;
}

/** Returns objects for one member at a time, because those of all members at once would outlive many other objects. */
export interface MeterCollection<Meters> extends MeterLookup<Meters> {
  set(member: number, meters: Meters): void;
}

export interface MeterMemory<Meters> {
  /** A caller that has just read the version of the stored meters passes it. */
  load(queries: Queries, device: string, version?: number): Promise<DeviceMeters<Meters>>;
  /** Returns a collection for the meters after a reading. */
  collect(meters?: Iterable<[number, Meters]>): MeterCollection<Meters>;
  /** Keeps the meters in memory, and stores them if that is needed. `version` is that of the meters before. */
  keep(
    store: Store,
    device: string,
    version: number,
    meters: MeterCollection<Meters>,
    reading: DeviceReading,
  ): Promise<void>;
}

export interface DeviceReading {
  /** Of the intervals that the reading completes. */
  readonly samples: readonly MemberSample[];
  /** Members that the device did not have before. */
  readonly added: readonly number[];
  /** For readings without which the next one would be taken for something else. */
  readonly mustStore: boolean;
  /** Runs in the transaction that stores the members. */
  readonly onAdd?: (queries: Queries) => Promise<void>;
}

/** Returns true if the counters or the clock cannot be compared with those of the last reading. */
export function hasNewMarks(before: Meter | undefined, { open }: Meter): boolean {
  return before !== undefined && open.marks !== before.open.marks;
}

const compress = promisify(deflateRaw);
const decompress = promisify(inflateRaw);

/** How the meters of one member are kept. */
export interface MeterForm<Meters, Stored> {
  readonly column: JsonColumn<[number, Stored][]>;
  encode(meters: Meters): Stored;
  decode(stored: Stored): Meters;
  /** How many meters a member has. */
  readonly series: number;
  split(meters: Meters): readonly (Meter | undefined)[];
  join(meters: readonly (Meter | undefined)[]): Meters;
}

export function meterMemory<Meters, Stored>(
  kind: SampleKind,
  { column, encode, decode, series, split, join }: MeterForm<Meters, Stored>,
): MeterMemory<Meters> {
  // One entry per device.
  const memory = new Map<string, DeviceMeters<Meters>>();
  return {
    async load(queries, device, version) {
      const remembered = memory.get(device);
      if (remembered?.version === (version ?? (await deviceMetersVersion(queries, kind, device)))) return remembered;
      const stored = await deviceMetersFind(queries, kind, device);
      if (stored === undefined) return { version: 0, byMember: new Map() };
      const text = (await decompress(stored.meters)).toString();
      const byMember = new Map(column.decode(text).map(([member, meters]) => [member, decode(meters)]));
      return { version: stored.version, byMember };
    },
    collect(meters = []) {
      const packed = new PackedMeters(series);
      const get = (member: number): Meters | undefined => {
        const ofMember = packed.get(member);
        return ofMember && join(ofMember);
      };
      const collection: MeterCollection<Meters> = {
        has: (member) => packed.has(member),
        get,
        set: (member, ofMember) => packed.set(member, split(ofMember)),
        *[Symbol.iterator]() {
          for (const member of packed.members) yield [member, get(member)!];
        },
      };
      for (const [member, ofMember] of meters) collection.set(member, ofMember);
      return collection;
    },
    async keep(store, device, version, byMember, { samples, added, mustStore, onAdd }) {
      if (samples.length === 0 && added.length === 0 && !mustStore) {
        memory.set(device, { version, byMember });
        return;
      }
      // One text per member, for the same reason.
      const texts = Array.from(byMember, ([member, meters]) =>
        column.encode([[member, encode(meters)]] as never).slice(1, -1),
      );
      const packed = await compress(`[${texts.join(',')}]`, { level: 1 });
      const isStored = await store.transaction(async (queries) => {
        // Otherwise another instance has stored a reading, and the samples that it completed.
        if (!(await deviceMetersReplace(queries, { kind, device, version, meters: packed }))) return false;
        await addBlocks(queries, kind, device, samples);
        if (added.length > 0) await onAdd?.(queries);
        return true;
      });
      if (isStored) memory.set(device, { version: version + 1, byMember });
      else memory.delete(device);
    },
  };
}
