// Bundles the server's own sources into one file in out/program, from where src/lib/performance/program-bundle.ts loads them. Runs on
// install (npm ci) and before the tests. Does nothing if the development dependencies were omitted or the bundle is current.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { basename, extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import {
  bundlesFolder,
  currentBundle,
  digestAll,
  digestSource,
  type BundleRecord,
} from '#lib/performance/program-bundle.ts';
import { packLine, packPosition } from '#lib/performance/stack-traces.ts';
import { asciiOutput } from './ascii-output.ts';

const root = join(import.meta.dirname, '..');
const bundles = join(root, bundlesFolder);
/** What src/main.ts imports after it has installed its hook. */
const specifiers = ['#server/serve.ts', '#lib/config.ts'];
const entry = 'program:server';
/** Threads that start from a file of their own in the bundle. */
const threads = ['src/app/dns/name-server-thread.js', 'src/app/billing/documents/pdf-thread.ts'];
/** Also in the bundle; see src/store/empty-database.ts. */
const emptyDatabase = 'src/store/empty.sqlite';
const threadEntry = 'program:thread:';
const httpEntry = 'program:http';
/** A server that is running still imports files of its bundle. */
const keptMs = 86_400_000;
/** The digest of each bundled source by its path, taken when it was read: a file may change before the end. */
const digests = new Map<string, string>();

if (!existsSync(join(root, 'node_modules', 'vite')) || currentBundle(pathToFileURL(`${root}/`)) !== undefined)
  process.exit(0);
const { build } = await import('vite');
const { output } = (await build({
  configFile: false,
  root,
  publicDir: false,
  logLevel: 'error',
  plugins: [readSources(), asciiOutput()],
  build: {
    ssr: true,
    write: false,
    minify: false,
    sourcemap: true,
    target: 'esnext',
    rolldownOptions: {
      input: { server: entry, ...Object.fromEntries(threads.map((file) => [nameOf(file), threadEntry + file])) },
      // Dynamic imports stay in separate files, because they load large packages.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false },
    },
  },
})) as Rolldown.RolldownOutput;
// In an order of their own: modules load in a different one each time, and the same sources must give the same bundle.
const sources = [...digests.keys()].toSorted();
const digest = digestAll(sources.map((source) => digests.get(source)!));
const record: BundleRecord = { folder: digest.slice(0, 16), entry: 'server.js', specifiers, sources, digest };
const folder = join(bundles, record.folder);
mkdirSync(folder, { recursive: true });
for (const file of output) {
  if (file.type !== 'chunk') continue;
  writeFileSync(join(folder, file.fileName), file.code);
  // A file that only imports others has none.
  if (file.map !== null) writeFileSync(join(folder, `${file.fileName}.lines`), lineTable(file.map));
}
await writeEmptyDatabase(join(folder, basename(emptyDatabase)));
writeFileSync(join(folder, 'bundle.json'), JSON.stringify(record));
renameSync(join(folder, 'bundle.json'), join(bundles, 'bundle.json'));
for (const { name } of readdirSync(bundles, { withFileTypes: true }).filter((item) => item.isDirectory()))
  if (name !== record.folder && statSync(join(bundles, name)).mtimeMs < Date.now() - keptMs)
    rmSync(join(bundles, name), { recursive: true });

function readSources(): Plugin {
  return {
    name: 'read-sources',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith('program:') ? id : id === 'node:http' ? httpEntry : undefined),
    load(id) {
      if (id === httpEntry) return httpCode();
      if (id === entry) return specifiers.map((specifier) => `export * from '${specifier}';`).join('');
      if (id.startsWith(threadEntry)) return threadCode(join(root, id.slice(threadEntry.length)));
      if (!id.startsWith(join(root, 'src/'))) return undefined;
      const content = readFileSync(id);
      const path = relative(root, id);
      digests.set(path, digestSource(content));
      return keepLocation(content.toString(), path);
    },
  };
}

async function writeEmptyDatabase(file: string): Promise<void> {
  const [{ openStore }, { sql }] = await Promise.all([import('#store/open.ts'), import('kysely')]);
  const dataFolder = mkdtempSync(join(tmpdir(), 'hostyard-empty-'));
  try {
    const store = await openStore({ dataFolder, database: undefined });
    rmSync(file, { force: true });
    await sql`vacuum into ${file}`.execute(store.queries);
    await store.close();
  } finally {
    rmSync(dataFolder, { recursive: true });
  }
}

function nameOf(file: string): string {
  return basename(file, extname(file));
}

/** An import of node:http also loads all of Node's WebSocket and fetch, which some of its exports need: 2% of a start. */
function httpCode(): string {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(http));
  const names = properties.filter(([, { get }]) => get === undefined).map(([name]) => name);
  return `export const { ${names.join(', ')} } = process.getBuiltinModule('node:http');`;
}

function threadCode(file: string): string {
  return `import { mapThreadTraces } from '#lib/performance/program-bundle.ts';
    import '${file}';
    mapThreadTraces(new URL('.', import.meta.url));`;
}

/** Modules read files next to them. For those that are in the bundle, `url` is in brackets, so that it is not replaced. */
function keepLocation(text: string, path: string): string {
  const fromBundle = (file: string): string => relative(join(bundles, 'version'), join(root, file));
  return text
    .replaceAll(/new URL\('([^']+)', import\.meta\.url\)/g, (whole, file: string) => {
      const source = join(path, '..', file);
      if (threads.includes(source)) return `new URL('./${nameOf(source)}.js', import.meta['url'])`;
      return source === emptyDatabase ? `new URL('./${basename(source)}', import.meta['url'])` : whole;
    })
    .replaceAll('import.meta.url', `new URL('${fromBundle(path)}', import.meta.url).href`)
    .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${fromBundle(join(path, '..'))}')`)
    .replaceAll('import.meta.filename', `(import.meta.dirname + '/${fromBundle(path)}')`);
}

/** Contains only places where the source line changes; see LineTable. */
function lineTable(map: Rolldown.SourceMap): Uint8Array {
  const indexes = new Map(sources.map((path, index) => [path, index]));
  // Paths are relative to the bundle. Those of packages are not in the table.
  const files = map.sources.map((source) => indexes.get(source.slice(source.indexOf('/src/') + 1)) ?? 0);
  const positions: number[] = [];
  const lines: number[] = [];
  let [file, sourceLine] = [0, 0];
  for (const [line, segments] of map.mappings.split(';').entries()) {
    let column = 0;
    for (const segment of segments.split(',')) {
      const [columnStep = 0, fileStep, lineStep = 0] = decodeDigits(segment);
      column += columnStep;
      if (fileStep === undefined) continue;
      file += fileStep;
      sourceLine += lineStep;
      const packed = packLine(files[file]!, sourceLine + 1);
      if (packed === lines.at(-1)) continue;
      positions.push(packPosition(line + 1, column + 1));
      lines.push(packed);
    }
  }
  return new Uint8Array(new Uint32Array([...positions, ...lines]).buffer);
}

/** Base64 VLQ, of which source maps consist: five bits per character, and the sign in the lowest bit. */
function decodeDigits(segment: string): number[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const values: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of segment) {
    const digit = alphabet.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    values.push((value & 1) === 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return values;
}
