// Packs the samples of many ports or machines into one database row, for the day or two before they are merged into rows of
// their own: a row per sample would rewrite a page of the database for each. A block is a list of parts with the same series and
// interval:
//
//   0  series        1  start of the interval in seconds (32 bits)        5  number of members (16 bits)
//   7  length of the values (16 bits)        9  members (32 bits each), then their values as a packed day

import { packDay, PackedDayError, unpackDay } from './packed-day.ts';
import { emptySeries, intervalSeconds, sampleAt, type Sample } from './series.ts';

/** A sample of one series of a port or machine. */
export interface MemberSample extends Sample {
  readonly member: number;
  readonly series: number;
}

const headerBytes = 9;
const memberBytes = 4;

/** A series may have 4,000 members in an interval: lengths have 16 bits. */
export function packBlock(samples: readonly MemberSample[]): Buffer {
  const parts = Map.groupBy(samples, ({ series, start }) => `${series} ${start}`);
  return Buffer.concat([...parts.values()].map(packPart));
}

function packPart(samples: readonly MemberSample[]): Buffer {
  const { series, start } = samples[0]!;
  const values = packDay({
    start: 0,
    inBytes: Float64Array.from(samples, ({ inBytes }) => inBytes),
    outBytes: Float64Array.from(samples, ({ outBytes }) => outBytes),
    marks: Uint8Array.from(samples, ({ marks }) => marks),
  });
  const membersEnd = headerBytes + samples.length * memberBytes;
  const part = Buffer.allocUnsafe(membersEnd + values.length);
  part.writeUInt8(series, 0);
  part.writeUInt32LE(start, 1);
  part.writeUInt16LE(samples.length, 5);
  part.writeUInt16LE(values.length, 7);
  for (const [index, { member }] of samples.entries()) part.writeUInt32LE(member, headerBytes + index * memberBytes);
  values.copy(part, membersEnd);
  return part;
}

/** Yields the samples of a block; of one member only, if it is given. */
export function* blockSamples(block: Buffer, only?: number): Generator<MemberSample> {
  for (let at = 0; at < block.length;) {
    if (at + headerBytes > block.length) throw new PackedDayError('a stored block of samples is corrupt');
    const series = block.readUInt8(at);
    const start = block.readUInt32LE(at + 1);
    const count = block.readUInt16LE(at + 5);
    const valuesAt = at + headerBytes + count * memberBytes;
    const end = valuesAt + block.readUInt16LE(at + 7);
    if (end > block.length) throw new PackedDayError('a stored block of samples is corrupt');
    const values = emptySeries(0, count * intervalSeconds);
    unpackDay(block.subarray(valuesAt, end), 0, values);
    for (let index = 0; index < count; index++) {
      const member = block.readUInt32LE(at + headerBytes + index * memberBytes);
      if (only === undefined || member === only) yield { ...sampleAt(values, index), member, series, start };
    }
    at = end;
  }
}
