// Bundles packages that consist of hundreds of small files into a few large ones in out/packages, from where
// src/lib/performance/quick-imports.ts loads them, so that every process starts sooner. Runs on install
// (npm ci) unless the development dependencies were omitted; without bundles, the packages themselves are loaded.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { asciiOutput } from './ascii-output.ts';

const root = join(import.meta.dirname, '..');
const out = join(root, 'out', 'packages');
const typebox = ['', '/format', '/schema', '/system', '/value'].map((path) => `typebox${path}`);
const others = ['ipaddr.js', 'prom-client', 'ws', 'yaml', 'yazl'];
const specifiers = ['fastify', 'kysely', ...typebox, ...others];
/** Never loaded: src/http/no-schema-compilers.ts replaces them. */
const unused = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];
/** Of the modules that are bundled: each exports what one package exports. */
const prefix = 'package:';

if (!existsSync(join(root, 'node_modules', 'vite'))) process.exit(0);
const { build } = await import('vite');
await build({
  configFile: false,
  root,
  publicDir: false,
  logLevel: 'error',
  plugins: [exportPackages(new Map(await Promise.all(specifiers.map(exportsOf)))), matchWithoutCode(), asciiOutput()],
  ssr: { noExternal: true, external: ['pino', 'bufferutil', 'utf-8-validate', ...unused] },
  build: {
    ssr: true,
    outDir: out,
    emptyOutDir: true,
    target: 'node24',
    rolldownOptions: {
      input: Object.fromEntries(specifiers.map((specifier) => [fileName(specifier), prefix + specifier])),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false },
    },
  },
});
writeFileSync(
  join(out, 'packages.json'),
  JSON.stringify(
    specifiers.map((specifier) => ({ specifier, ...versionOf(specifier), file: `${fileName(specifier)}.js` })),
  ),
);

function fileName(specifier: string): string {
  return specifier.replaceAll('/', '-');
}

function versionOf(specifier: string): { name: string; version: string } {
  const [name = ''] = specifier.split('/');
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { name, version };
}

/** Node finds the names that a CommonJS package exports; a bundler does not. */
async function exportsOf(specifier: string): Promise<[specifier: string, code: string]> {
  const names = Object.keys((await import(specifier)) as object);
  if (!names.includes('module.exports'))
    return [
      specifier,
      `export * from '${specifier}';${names.includes('default') ? `export { default } from '${specifier}';` : ''}`,
    ];
  const named = names.filter((name) => name !== 'default' && name !== 'module.exports');
  return [specifier, `import all from '${specifier}'; export default all; export const { ${named.join(', ')} } = all;`];
}

function exportPackages(codes: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'export-packages',
    resolveId: (id) => (id.startsWith(prefix) ? id : undefined),
    load: (id) => (id.startsWith(prefix) ? codes.get(id.slice(prefix.length)) : undefined),
  };
}

/**
 * Fastify's router generates a function for each part of a path that is shorter than this, and compiling those takes 60 ms of each start.
 * It finds longer parts with `indexOf`. See docs/decisions/performance.md.
 */
function matchWithoutCode(): Plugin {
  const limit = 'const LONG_PREFIX_MIN_LENGTH = 16';
  return {
    name: 'match-without-code',
    transform(code, id) {
      if (!id.endsWith('/find-my-way/lib/node.js')) return undefined;
      if (!code.includes(limit)) throw new Error('the router has changed: see whether this is still needed');
      return code.replace(limit, 'const LONG_PREFIX_MIN_LENGTH = 2');
    },
  };
}
