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
  /** The file that the imports of src/main.ts resolve to. Threads have others. */
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
  mapTraces(folder, () => record.sources);
  const { href: url } = new URL(record.entry, folder);
  return record.specifiers.map((specifier) => [specifier, { url, format: 'module', shortCircuit: true }]);
}

/** In a thread: lets its stack traces name the sources of the bundle that it was started from. */
export function mapThreadTraces(folder: URL): void {
  mapTraces(folder, () => {
    const record = readRecord(new URL('../../../', folder));
    if (!folder.href.endsWith(`/${record.folder}/`)) throw new Error('another version has been installed since');
    return record.sources;
  });
}

function mapTraces(folder: URL, listSources: () => readonly string[]): void {
  const root = new URL('../../../', folder);
  mapStackTraces(folder.href, (file) => {
    const files = listSources().map((source) => new URL(source, root).href);
    return readLineTable(files, readFileSync(new URL(`${file}.lines`, folder)));
  });
}

function readRecord(root: URL): BundleRecord {
  return JSON.parse(readFileSync(new URL(`${bundlesFolder}bundle.json`, root), 'utf8')) as BundleRecord;
}

export function currentBundle(root: URL): BundleRecord | undefined {
  try {
    const record = readRecord(root);
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
