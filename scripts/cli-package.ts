// Builds the npm package @hostyard/cli in out/cli-package: the customers' and operators' commands, without those that run on the server
// itself. It contains the packages that it uses, so it installs without any other and runs on the oldest supported Node.
//
//   node scripts/cli-package.ts [FOLDER]
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { version } from '#lib/version.ts';

const root = join(import.meta.dirname, '..');
const entry = 'package:hostyard';

async function buildCli(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'dist'), { recursive: true });
  const chunks = await bundle();
  for (const { fileName, code } of chunks) await writeFile(join(folder, 'dist', fileName), code);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  await copyFile(join(root, 'src/cli/README.md'), join(folder, 'README.md'));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await writeFile(join(folder, 'LICENSES-OF-PACKAGES'), await licences(chunks));
}

async function bundle(): Promise<Rolldown.OutputChunk[]> {
  const { output } = (await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'error',
    plugins: [program()],
    ssr: { noExternal: true, external: ['bufferutil', 'utf-8-validate'] },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        input: { hostyard: entry },
        output: {
          // The code of a command is loaded when it is called.
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          banner: ({ isEntry }) => (isEntry ? '#!/usr/bin/env node' : ''),
        },
      },
    },
  })) as Rolldown.RolldownOutput;
  return output.filter((file) => file.type === 'chunk');
}

function program(): Plugin {
  const code = `
    import { customerCommands } from '#cli/customer-commands.ts';
    import { runProgram } from '#cli/program.ts';
    import { processShell } from '#cli/shell.ts';
    const sections = [{ heading: 'Commands:', commands: customerCommands }];
    process.exitCode = await runProgram(process.argv.slice(2), { version: '${version}', sections }, processShell());`;
  return {
    name: 'program',
    resolveId: (id) => (id === entry ? id : undefined),
    load: (id) => (id === entry ? code : undefined),
  };
}

function manifest(): object {
  return {
    name: '@hostyard/cli',
    version,
    description: 'The command line of Hostyard',
    license: 'Apache-2.0',
    type: 'module',
    bin: { hostyard: 'dist/hostyard.js' },
    engines: { node: '>=20.3' },
    files: ['dist', 'LICENSES-OF-PACKAGES'],
  };
}

/** Returns the licences of the bundled packages, which ask for it. */
async function licences(chunks: readonly Rolldown.OutputChunk[]): Promise<string> {
  const paths = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .flatMap((id) => id.split('/node_modules/').slice(1).slice(-1));
  const names = new Set(paths.flatMap((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
  const texts = [...names].toSorted().map(async (name) => {
    const folder = join(root, 'node_modules', name);
    const { version: packageVersion } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      version: string;
    };
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder });
    if (file === undefined) throw new Error(`${name} has no licence file`);
    return `${name} ${packageVersion}\n\n${await readFile(join(folder, file), 'utf8')}`;
  });
  return (await Promise.all(texts)).join('\n\n');
}

await buildCli(resolve(process.argv[2] ?? join(root, 'out', 'cli-package')));
