// Builds the npm package @hostyard/sdk in out/sdk: `npm run sdk`.
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src', 'sdk');
/** Maps the entry points of the package to modules. */
const entries = { '.': 'v2', './legacy': 'legacy', './operator': 'operator' };

export async function buildSdk(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = join(source, 'tsconfig.package.json');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', join(folder, 'dist')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Compiling the SDK failed:\n${stdout}`);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await packageManifest(), null, 2)}\n`);
  await copyFile(join(source, 'README.md'), join(folder, 'README.md'));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

async function packageManifest(): Promise<object> {
  const { version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, string>;
  const exportMap = Object.entries(entries).map(([entry, module]) => [
    entry,
    { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` },
  ]);
  return {
    name: '@hostyard/sdk',
    version,
    description: 'The client for Hostyard',
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.3' },
    files: ['dist'],
    exports: Object.fromEntries(exportMap) as object,
  };
}

if (import.meta.main) {
  const folder = join(root, 'out', 'sdk');
  await buildSdk(folder);
  console.log(`Install it in your program with: npm install ${folder}`);
}
