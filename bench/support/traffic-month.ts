// A month of traffic of many ports in a store, as polling leaves it: gigabit ports by day and night, 4 bytes per value.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { addToDay } from '#traffic/packed-day.ts';
import { daySeconds, intervalSeconds, intervalsPerDay } from '#traffic/series.ts';
import { labOctetsBetween } from '#lab/switch/traffic.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { portsOfSwitch, portsPut, switchPut } from '#store/network/switches.ts';
import { trafficDaysPut } from '#store/network/traffic.ts';
import { temporaryFolder } from '../../test/support/folder.ts';

export const monthStart = Date.UTC(2026, 9, 1) / 1000;
export const days = 31;
export const samplesOfPort = days * intervalsPerDay;

export interface StoredMonth extends AsyncDisposable {
  readonly store: Store;
  readonly ports: readonly number[];
  /** Space in the file per sample and direction. */
  readonly bytesPerSample: number;
}

export async function storeMonth(portCount: number): Promise<StoredMonth> {
  const folder = await temporaryFolder('month');
  const store = await openStore({ dataFolder: folder.path, database: undefined });
  await store.transaction(async (queries) => {
    await switchPut(queries, { name: 'bench', driver: 'snmp', settings: '' });
    const port = { switch: 'bench', service_id: null, server: null, key_by: null, key: null };
    await portsPut(
      queries,
      Array.from({ length: portCount }, (_, index) => ({ ...port, if_index: index + 1 })),
    );
  });
  const ports = (await portsOfSwitch(store.queries, 'bench')).map(({ id }) => id);
  const size = async (): Promise<number> => {
    // Moves the write-ahead log into the file first.
    await sql`pragma wal_checkpoint(truncate)`.execute(store.queries);
    return statSync(join(folder.path, 'hostyard.sqlite')).size;
  };
  const emptySize = await size();
  // A few kinds of port, repeated: only the size of a day matters to the database, not its content.
  const kinds = Array.from({ length: 20 }, (_, seed) =>
    Array.from({ length: days }, (__, day) => packedDay(seed, day)),
  );
  // Day by day over all ports, in the order in which polling writes them.
  for (let day = 0; day < days; day++) {
    await store.transaction(async (queries) => {
      for (const [index, port_id] of ports.entries())
        await trafficDaysPut(queries, [
          {
            port_id,
            day_start: monthStart + day * daySeconds,
            packed: kinds[index % 20]![day]!,
          },
        ]);
    });
  }
  const bytesPerSample = ((await size()) - emptySize) / (portCount * samplesOfPort * 2);
  const close = async (): Promise<void> => {
    await store.close();
    await folder[Symbol.asyncDispose]();
  };
  return { store, ports, bytesPerSample, [Symbol.asyncDispose]: close };
}

function packedDay(seed: number, day: number): Buffer {
  const dayStart = monthStart + day * daySeconds;
  const traffic = { seed, inBitsPerSecond: 180_000_000, outBitsPerSecond: 480_000_000 };
  const samples = Array.from({ length: intervalsPerDay }, (_, index) => {
    const start = dayStart + index * intervalSeconds;
    const octets = labOctetsBetween(traffic, start * 1000, (start + intervalSeconds) * 1000);
    return { start, inBytes: octets.in, outBytes: octets.out, marks: 0 };
  });
  return addToDay(undefined, dayStart, samples);
}
