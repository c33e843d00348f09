// A problem in a site file, by path. Each module checks its own part of the file, and file.ts adds line and column.
export type SitePath = readonly (string | number)[];
export type SiteProblem = readonly [path: SitePath, message: string];

/** Returns a function that returns true if it was called with the same kind and value before. Ignores undefined. */
export function createDuplicateCheck(): (kind: string, value: string | number | undefined) => boolean {
  const seen = new Set<string>();
  return (kind, value) => value !== undefined && seen.size === seen.add(`${kind} ${value}`).size;
}
