#!/usr/bin/env node
// The command line. The sources are TypeScript, which Node 24 runs as it is. An older Node starts the Node 24 that npm has
// installed instead, and forwards signals to it.
import { spawn } from 'node:child_process';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const [command, ...rest] = process.argv.slice(2);
// `detect` runs during attacks, so it starts without loading anything else, except for its help.
const isDetect = command === 'detect' && !rest.includes('--help') && !rest.includes('-h');
const cache = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));

if (process.versions.node.startsWith('24.') && !isDetect) {
  nodeModule.enableCompileCache(cache);
  const { importQuickly } = await import('../src/lib/performance/quick-imports.ts');
  importQuickly();
  await import('../src/server/commands.ts');
} else startBundledNode();

function startBundledNode() {
  const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  const env = { NODE_COMPILE_CACHE: cache, ...process.env };
  const [file, args] = isDetect ? ['../src/server/commands/detect.ts', rest] : [import.meta.url, process.argv.slice(2)];
  const child = spawn(node, [fileURLToPath(new URL(file, import.meta.url)), ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`Node 24 is missing (${error.message}). Run npm ci first.\n`);
    process.exit(1);
  });
  child.on('exit', (status, signal) => {
    if (signal === null) process.exit(status ?? 1);
    // Ends by the same signal as the child, so that the caller sees it.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
