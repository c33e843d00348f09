// What is wrong in a site file, and where: each part of the business finds the faults of its own part, one place tells line and
// column (file.ts).
export type SitePath = readonly (string | number)[];
export type PlacedFault = readonly [path: SitePath, message: string];
