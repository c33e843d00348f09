// Choices that a seed tells: the same seed makes the same, on every machine.
import type { seededRandom } from '#lab/bmc/faults.ts';

export type Random = ReturnType<typeof seededRandom>;

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}
