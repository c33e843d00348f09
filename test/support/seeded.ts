// Seeded random choices: the same seed gives the same choices on every machine.
import type { seededRandom } from '#lab/bmc/malfunctions.ts';

export type Random = ReturnType<typeof seededRandom>;

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}
