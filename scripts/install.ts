// Runs after `npm ci`: builds what the server loads and sends, and compiles it. The panel is built at the same time as the rest, because
// neither uses all cores for long.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { laterFlag } from '#lib/performance/memory.ts';

const root = join(import.meta.dirname, '..');
const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile') };

async function run(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`node ${args.join(' ')} failed`);
}

// Compiled code is for one combination of V8's flags: those of commands, those of `npm start`, and those that it sets later.
async function prepareServer(): Promise<void> {
  await run('scripts/bundle-sources.ts');
  const startFlag = '--no-allocation-site-pretenuring';
  await run(startFlag, 'scripts/warm.ts', 'server');
  await run(startFlag, laterFlag, 'scripts/warm.ts', 'documents');
}

async function prepareProgram(): Promise<void> {
  await run('scripts/bundle-packages.ts');
  await Promise.all([prepareServer(), run('scripts/warm.ts', 'commands')]);
}

await Promise.all([prepareProgram(), run('scripts/panel.ts')]);
