// npm run bench: runs the benchmarks in bench/ one after another, because they would slow each other down. Their output
// becomes docs/reference/benchmarks.md: one table of all targets, and a section for each benchmark, with the date and the
// machine. Running one alone updates only its section and its rows.
//
//   npm run bench         all
//   npm run bench -- api  only bench/api.ts
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { missedTarget, peerMark } from '../bench/support/figures.ts';
import { fetchGuestPackages } from './guest-packages.ts';
import { installMissingPackages, packagesByBinary, packagesOfBenchmarks } from './packages.ts';

// The same settings as `npm start`, so that code measured in this process has the same memory.
const collectorSettings = ['--max-semi-space-size=16', '--no-parallel-scavenge', '--no-allocation-site-pretenuring'];
/** If the machine adds certificates, Node keeps all root certificates, which takes 2 MB of each process. */
const { NODE_EXTRA_CA_CERTS: _certificates, ...environment } = process.env;
const page = 'docs/reference/benchmarks.md';
const opening = `# Benchmarks

Written by \`npm run bench\`. Every figure has a limit, or a peer that did the same work in the same run, because times alone say more about
the machine than about the program. Targets that are not met stay until they are. A figure "times the peer" is relative to the program, or to
the same program without the load, in the column of peers.`;

process.chdir(join(import.meta.dirname, '..'));
// After a change, the server would load its sources one by one, which takes up to twice the time and a quarter more memory.
execFileSync(process.execPath, ['scripts/install.ts'], { stdio: 'ignore' });
await installMissingPackages({ ...packagesByBinary, ...packagesOfBenchmarks });
await fetchGuestPackages();
const names = process.argv.slice(2);
const files = globSync('bench/*.ts')
  .filter((file) => names.length === 0 || names.includes(basename(file, '.ts')))
  .sort();

for (const file of files) {
  console.log(`\n${file}`);
  const startedAt = performance.now();
  const { code, printed } = await run(file);
  console.log(`took ${Math.round((performance.now() - startedAt) / 1000)} s`);
  if (code !== 0) process.exitCode = 1;
  // A benchmark that broke off says nothing; its last figures stay.
  if (code === 0 || code === missedTarget) updateSection(basename(file, '.ts'), sectionOf(file, printed));
}
if (files.length === 0) {
  console.error(`no benchmark named ${names.join(', ')}`);
  process.exitCode = 1;
}

async function run(file: string): Promise<{ code: number | null; printed: string }> {
  const program = spawn(process.execPath, [...collectorSettings, file], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    printed += text;
  });
  const [code] = (await once(program, 'close')) as [number | null];
  return { code, printed };
}

/** Combines the file comment of a benchmark with its output. */
function sectionOf(file: string, printed: string): string {
  const about = /^(?:\/\/ ?.*\n)+/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  const paragraphs = about.replaceAll(/^\/\/ ?/gm, '').split(/\n\s*\n/);
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const machine = `${cpus()[0]?.model.trim() || process.arch}, ${availableParallelism()} cores, ${memory}, Node ${process.version}`;
  const day = new Date().toISOString().slice(0, 10);
  return `${paragraphs[0]!.trim()}\n\n${day}, ${machine}:\n\n\`\`\`text\n${printed.trim()}\n\`\`\`\n`;
}

function updateSection(name: string, section: string): void {
  const [, ...old] = existsSync(page) ? readFileSync(page, 'utf8').split(/^(?=## )/m) : [];
  const sections = new Map(old.map((text) => [/^## (\S+)/.exec(text)![1]!, text.trimEnd()]));
  sections.set(name, `## ${name}\n\n${section.trimEnd()}`);
  const sorted = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  writeFileSync(page, `${[opening, tableOfTargets(sorted), ...sorted].join('\n\n')}\n`);
  execFileSync('node_modules/.bin/oxfmt', [page]);
}

/** Reads the lines of `printFigure` that have a target: label, value, target, a peer if there is one, and the verdict. */
function tableOfTargets(sections: readonly string[]): string {
  const rows = sections.flatMap((section) => {
    const [, name = ''] = /^## (\S+)/.exec(section)!;
    const lines = section.split('\n').filter((line) => line.endsWith(' met'));
    return lines.map((line) => {
      const [label = '', value = '', target = '', ...rest] = line.split(/ {2,}/);
      const peer = rest.find((text) => text.startsWith(peerMark))?.slice(peerMark.length) ?? '';
      return { name, cells: [label, value, target, peer, rest.at(-1) === 'met' ? 'yes' : '**no**'] };
    });
  });
  const met = rows.filter(({ cells }) => cells.at(-1) === 'yes').length;
  const table = rows.map(({ name, cells }) => `| ${[`[${name}](#${name})`, ...cells].join(' | ')} |`);
  const head = '| benchmark | figure | measured | target | peer | met |\n| --- | --- | --- | --- | --- | --- |';
  return `${met} of ${rows.length} targets are met.\n\n${[head, ...table].join('\n')}`;
}
