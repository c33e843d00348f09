// Resolves our own imports without Node's file system lookups. The server makes six thousand imports of two thousand modules, and for
// each Node searches for the file, for links on the way and for the enclosing package, which takes longer than loading it. A relative
// import with a file extension names exactly one file, and `#store/…` or `kysely` mean the same in all of our sources. Packages of
// hundreds of files come from the bundles of scripts/bundle-packages.ts. With this hook the server loads in half of the time and with
// a few megabytes less. See docs/decisions/performance.md.
import { readFileSync } from 'node:fs';
import { registerHooks, type ResolveFnOutput } from 'node:module';

export type Resolved = [specifier: string, output: ResolveFnOutput];

/** Must be called before the program itself is loaded. `own` says which of our imports resolve to other modules. */
export function importQuickly(own: readonly Resolved[] = []): void {
  const root = new URL('../../../', import.meta.url);
  const resolved = new Map<string, ResolveFnOutput>([...bundledPackages(root), ...own]);
  const { imports } = readJson(new URL('package.json', root)) as { imports: Record<string, string> };
  const bundleFolder = own[0] && new URL('.', own[0][1].url).href;
  // Node does not run TypeScript from packages, so a TypeScript parent is one of our sources.
  const isOurs = (parent: string): boolean =>
    parent.endsWith('.ts') || (bundleFolder !== undefined && parent.startsWith(bundleFolder));
  registerHooks({
    resolve(specifier, context, resolve) {
      const { parentURL, conditions } = context;
      if (parentURL === undefined || !conditions.includes('import')) return resolve(specifier, context);
      if (specifier.startsWith('.') && /\.m?[jt]s$/.test(specifier)) return moduleAt(specifier, parentURL);
      if (!isOurs(parentURL)) return resolve(specifier, context);
      let output = resolved.get(specifier);
      if (output === undefined) {
        const [, folder, file] = /^(#\w+)\/(.+)$/.exec(specifier) ?? [];
        const target = imports[`${folder}/*`];
        output =
          target === undefined || file === undefined
            ? { ...resolve(specifier, context), shortCircuit: true }
            : moduleAt(target.replace('*', file), root);
        resolved.set(specifier, output);
      }
      return output;
    },
  });
}

/** With its format, because Node would search for the enclosing package to find out. */
function moduleAt(path: string, base: string | URL): ResolveFnOutput {
  const { href } = new URL(path, base);
  return { url: href, shortCircuit: true, ...(href.endsWith('.ts') && { format: 'module-typescript' }) };
}

interface BundledPackage {
  readonly specifier: string;
  readonly name: string;
  readonly version: string;
  readonly file: string;
}

/** Returns none if they were not built, or from other versions than are installed now. */
export function bundledPackages(root: URL): Resolved[] {
  const folder = new URL('out/packages/', root);
  const bundled = readJson(new URL('packages.json', folder)) as BundledPackage[] | undefined;
  const isCurrent = bundled?.every(({ name, version }) => installedVersion(root, name) === version) ?? false;
  if (bundled === undefined || !isCurrent) return [];
  return bundled.map(({ specifier, file }) => [
    specifier,
    { url: new URL(file, folder).href, format: 'module', shortCircuit: true },
  ]);
}

function installedVersion(root: URL, name: string): string | undefined {
  const manifest = readJson(new URL(`node_modules/${name}/package.json`, root)) as { version: string } | undefined;
  return manifest?.version;
}

function readJson(file: URL): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
