// The software bill of materials of a release, in CycloneDX. It lists what a release contains: the production dependencies, and the
// packages that the panel and the API reference are built from, which npm calls development dependencies; and the packages of Debian
// that it runs with. It has no random number and no current time, so a commit always gives the same one.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DebianPackage {
  readonly name: string;
  /** None if any version of the release of Debian will do. */
  readonly version?: string | undefined;
}

interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version?: string | undefined;
  readonly purl: string;
  readonly scope?: string;
  readonly properties?: readonly { readonly name: string }[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

export interface Sbom {
  readonly serialNumber: string;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Takes the versions from the packages that are installed in the folder. */
export function createSbom(root: string, seconds: number, debian: readonly DebianPackage[]): Sbom {
  const npm = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as Sbom;
  const ref = npm.metadata.component['bom-ref'];
  const dependsOn = new Map(npm.dependencies.map((entry) => [entry.ref, entry.dependsOn]));
  const names = releasedPackages(root);
  const direct = dependsOn.get(ref)!.filter((each) => names.has(each.slice(0, each.lastIndexOf('@'))));
  const included = new Set(direct);
  // A set also visits what is added while it is iterated.
  for (const each of included) for (const next of dependsOn.get(each) ?? []) included.add(next);
  const system = debian.map(debianComponent);
  const byRef = new Map(npm.components.map((component) => [component['bom-ref'], component]));
  // Node for other processors is not installed.
  const packages = [...included].toSorted().flatMap((each) => byRef.get(each) ?? []);
  const sbom = {
    ...npm,
    metadata: {
      ...npm.metadata,
      timestamp: new Date(seconds * 1000).toISOString(),
      // npm names the folder.
      component: { ...npm.metadata.component, type: 'application', name: 'hostyard' },
    },
    components: [...packages.map(asReleased), ...system],
    dependencies: [
      { ref, dependsOn: [...direct, ...system.map((component) => component['bom-ref'])] },
      ...packages.map((component) => ({
        ref: component['bom-ref'],
        dependsOn: dependsOn.get(component['bom-ref']) ?? [],
      })),
    ],
  };
  return { ...sbom, serialNumber: `urn:uuid:${uuidOf(JSON.stringify({ ...sbom, serialNumber: '' }))}` };
}

function releasedPackages(root: string): Set<string> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };
  const imported = globSync('src/panel/**/*.{ts,tsx,css}', { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /(?:from|import|url) *\(?['"]((?:@[a-z][^/'"]*\/)?[a-z][^/'"]*)[/'"]/g,
      ),
    ])
    .map(([, name]) => name!);
  const packages = { ...manifest.dependencies, ...manifest.optionalDependencies };
  return new Set([...Object.keys(packages), ...imported, '@scalar/fastify-api-reference']);
}

/** Packages in the panel are not for development only. */
function asReleased(component: Component): Component {
  const properties = component.properties?.filter(({ name }) => name !== 'cdx:npm:package:development');
  return { ...component, scope: 'required', ...(properties && { properties }) };
}

function debianComponent({ name, version }: DebianPackage): Component {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}${version === undefined ? '' : `@${encodeURIComponent(version)}`}`;
  return { 'bom-ref': purl, type: 'library', name, ...(version !== undefined && { version }), purl };
}

function uuidOf(text: string): string {
  const digits = hash('sha256', text, 'hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
