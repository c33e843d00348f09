// Finds the name that was probably meant by a misspelled one.

/** Returns the candidate that differs least from `name`, or undefined if none is close. */
export function findSimilarName(name: string, candidates: readonly string[]): string | undefined {
  const maxDifference = Math.min(3, Math.max(1, Math.floor(name.length / 3)));
  const [best] = candidates
    .map((candidate) => ({ candidate, difference: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ difference }) => difference <= maxDifference)
    .toSorted((left, right) => left.difference - right.difference);
  return best?.candidate;
}

/** Counts the letters to insert, delete, replace, or swap with their neighbour. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          last[column]! + 1,
          current[column - 1]! + 1,
          last[column - 1]! + (isSame ? 0 : 1),
          isSwapped && row > 1 && column > 1 ? beforeLast[column - 2]! + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length]!;
}
