// Finds the bundle of the server's own sources, which scripts/bundle-sources.ts writes: a few files load in less time and memory than
// fifteen hundred modules. It is used only if each source in it is unchanged, so that an edit never runs old code. Without it, the
// sources are loaded. See docs/decisions/performance.md.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Resolved } from './quick-imports.ts';
import { mapStackTraces, readLineTable } from './stack-traces.ts';

/** bundle.json in the folder of bundles. */
export interface BundleRecord {
  /** Each version has a folder of its own, so that none ever loads a file of another. */
  readonly folder: string;
  /** The file that the imports of src/main.ts resolve to. */
  readonly entry: string;
  readonly specifiers: readonly string[];
  /** Paths in the repository. */
  readonly sources: readonly string[];
  readonly digest: string;
}

export const bundlesFolder = 'out/program/';

/** Returns what to import instead of our own modules: nothing if there is no bundle, or if a source has changed since. */
export function openProgramBundle(root: URL): Resolved[] {
  const record = currentBundle(root);
  if (record === undefined) return [];
  const folder = new URL(`${bundlesFolder}${record.folder}/`, root);
  const files = record.sources.map((source) => new URL(source, root).href);
  mapStackTraces(folder.href, (file) => readLineTable(files, readFileSync(new URL(`${file}.lines`, folder))));
  const { href: url } = new URL(record.entry, folder);
  return record.specifiers.map((specifier) => [specifier, { url, format: 'module', shortCircuit: true }]);
}

export function currentBundle(root: URL): BundleRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(new URL(`${bundlesFolder}bundle.json`, root), 'utf8')) as BundleRecord;
    const repository = fileURLToPath(root);
    const digests = record.sources.map((source) => digestSource(readFileSync(repository + source)));
    return digestAll(digests) === record.digest ? record : undefined;
  } catch {
    return undefined;
  }
}

export function digestSource(content: Buffer): string {
  return hash('sha1', content, 'base64');
}

export function digestAll(digests: readonly string[]): string {
  return hash('sha256', digests.join(), 'hex');
}
