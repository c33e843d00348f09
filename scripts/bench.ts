// npm run bench: every benchmark of bench/, one after another, since they would slow each other down.
//
//   npm run bench         all
//   npm run bench -- api  only bench/api.ts
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

// As `npm start` runs the server: what is measured in this process is measured with the memory that it has there.
const collectorSettings = ['--max-semi-space-size=2', '--no-parallel-scavenge'];

process.chdir(join(import.meta.dirname, '..'));
const wanted = process.argv.slice(2);
const files = globSync('bench/*.ts')
  .filter((file) => wanted.length === 0 || wanted.includes(basename(file, '.ts')))
  .sort();

for (const file of files) {
  console.log(`\n${file}`);
  const { status } = spawnSync(process.execPath, [...collectorSettings, file], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
if (files.length === 0) {
  console.error(`no benchmark named ${wanted.join(', ')}`);
  process.exitCode = 1;
}
