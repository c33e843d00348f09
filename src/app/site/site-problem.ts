// A problem in a site file, by path. Each module checks its own part of the file, and file.ts adds line and column.
export type SitePath = readonly (string | number)[];
export type SiteProblem = readonly [path: SitePath, message: string];
