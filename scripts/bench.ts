// npm run bench: every benchmark of bench/, one after another, since they would slow each other down. What they print becomes
// docs/benchmarks.md: a section for each, with the day and the machine. One that is run alone renews its own section.
//
//   npm run bench         all
//   npm run bench -- api  only bench/api.ts
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { basename, join } from 'node:path';

// As `npm start` runs the server: what is measured in this process is measured with the memory that it has there.
const collectorSettings = ['--max-semi-space-size=2', '--no-parallel-scavenge', '--no-allocation-site-pretenuring'];
const page = 'docs/benchmarks.md';
const opening = `# Benchmarks

Written by \`npm run bench\`. Every figure stands beside its limit, or beside a peer that did the same in the same run: times alone say
more of the machine than of the program. “not met” is left standing until it is.`;

process.chdir(join(import.meta.dirname, '..'));
const wanted = process.argv.slice(2);
const files = globSync('bench/*.ts')
  .filter((file) => wanted.length === 0 || wanted.includes(basename(file, '.ts')))
  .sort();

for (const file of files) {
  console.log(`\n${file}`);
  const { code, printed } = await run(file);
  if (code !== 0) process.exitCode = 1;
  renew(basename(file, '.ts'), sectionOf(file, printed));
}
if (files.length === 0) {
  console.error(`no benchmark named ${wanted.join(', ')}`);
  process.exitCode = 1;
}

async function run(file: string): Promise<{ code: number | null; printed: string }> {
  const program = spawn(process.execPath, [...collectorSettings, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    printed += text;
  });
  const [code] = (await once(program, 'close')) as [number | null];
  return { code, printed };
}

/** What the file says of itself at its top, then what it printed. */
function sectionOf(file: string, printed: string): string {
  const about = /^(?:\/\/ ?.*\n)+/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  const paragraphs = about.replaceAll(/^\/\/ ?/gm, '').split(/\n\s*\n/);
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const machine = `${cpus()[0]?.model.trim() || process.arch}, ${availableParallelism()} cores, ${memory}, Node ${process.version}`;
  const day = new Date().toISOString().slice(0, 10);
  return `${paragraphs[0]!.trim()}\n\n${day}, ${machine}:\n\n\`\`\`text\n${printed.trim()}\n\`\`\`\n`;
}

function renew(name: string, section: string): void {
  const [, ...old] = existsSync(page) ? readFileSync(page, 'utf8').split(/^(?=## )/m) : [];
  const sections = new Map(old.map((text) => [/^## (\S+)/.exec(text)![1]!, text.trimEnd()]));
  sections.set(name, `## ${name}\n\n${section.trimEnd()}`);
  const sorted = [...sections].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  writeFileSync(page, `${[opening, summary(sorted), ...sorted].join('\n\n')}\n`);
}

/** How many targets there are, and those that are missed. */
function summary(sections: readonly string[]): string {
  const targets = sections.flatMap((text) => text.split('\n').filter((line) => line.endsWith(' met')));
  const missed = targets.filter((line) => line.endsWith(' not met'));
  const count = `Of ${targets.length} targets ${targets.length - missed.length} are met`;
  return missed.length === 0 ? `${count}.` : `${count}; not met:\n\n\`\`\`text\n${missed.join('\n')}\n\`\`\``;
}
