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
import { packMeters, unpackMeters, type PackedMeters } from '#traffic/packed-meters.ts';
import type { MemberSample } from '#traffic/sample-block.ts';
import { addBlocks } from './sample-blocks.ts';

export interface DeviceMeters<Meters> {
  /** Of the stored meters that these continue. */
  readonly version: number;
  readonly byMember: MeterLookup<Meters>;
}

/** A part of a Map. Looks meters up in memory one at a time, because those of all members at once would outlive many other objects. */
interface MeterLookup<Meters> extends Iterable<[number, Meters]> {
  has(member: number): boolean;
  get(member: number): Meters | undefined;
}

export interface MeterMemory<Meters> {
  /** A caller that has just read the version of the stored meters passes it. */
  load(queries: Queries, device: string, version?: number): Promise<DeviceMeters<Meters>>;
  /** Keeps the meters in memory, and stores them if that is needed. */
  keep(store: Store, device: string, meters: DeviceMeters<Meters>, reading: DeviceReading): Promise<void>;
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
  const memory = new Map<string, { readonly version: number; readonly packed: PackedMeters }>();
  function remember(device: string, { version, byMember }: DeviceMeters<Meters>): void {
    const lists = new Map(Array.from(byMember, ([member, meters]) => [member, split(meters)]));
    memory.set(device, { version, packed: packMeters(lists, series, memory.get(device)?.packed) });
  }
  function lookUp(packed: PackedMeters): MeterLookup<Meters> {
    const { positions } = packed;
    const get = (member: number): Meters => join(unpackMeters(packed, member)!);
    return {
      has: (member) => positions.has(member),
      get: (member) => (positions.has(member) ? get(member) : undefined),
      *[Symbol.iterator]() {
        for (const member of positions.keys()) yield [member, get(member)];
      },
    };
  }
  return {
    async load(queries, device, version) {
      const remembered = memory.get(device);
      if (remembered?.version === (version ?? (await deviceMetersVersion(queries, kind, device))))
        return { version: remembered.version, byMember: lookUp(remembered.packed) };
      const stored = await deviceMetersFind(queries, kind, device);
      if (stored === undefined) return { version: 0, byMember: new Map() };
      const text = (await decompress(stored.meters)).toString();
      const byMember = new Map(column.decode(text).map(([member, meters]) => [member, decode(meters)]));
      return { version: stored.version, byMember };
    },
    async keep(store, device, { version, byMember }, { samples, added, mustStore, onAdd }) {
      if (samples.length === 0 && added.length === 0 && !mustStore) {
        remember(device, { version, byMember });
        return;
      }
      const stored = [...byMember].map(([member, meters]): [number, Stored] => [member, encode(meters)]);
      const packed = await compress(column.encode(stored as never), { level: 1 });
      const isStored = await store.transaction(async (queries) => {
        // Otherwise another instance has stored a reading, and the samples that it completed.
        if (!(await deviceMetersReplace(queries, { kind, device, version, meters: packed }))) return false;
        await addBlocks(queries, kind, device, samples);
        if (added.length > 0) await onAdd?.(queries);
        return true;
      });
      if (isStored) remember(device, { version: version + 1, byMember });
      else memory.delete(device);
    },
  };
}
