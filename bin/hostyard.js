#!/usr/bin/env node
// The command line. The sources are TypeScript, which the Node 24 that npm installed runs as it is; an older node that
// started this file hands over to that one, and hands on the signals that ask it to end.
import { spawn } from 'node:child_process';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const [command, ...rest] = process.argv.slice(2);
// Detectors call this one at the worst of times: it starts without all the others.
const [file, args] = command === 'detect' ? ['commands/detect.ts', rest] : ['commands.ts', process.argv.slice(2)];
const script = new URL(`../src/admin/${file}`, import.meta.url);
const cache = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));

if (process.versions.node.startsWith('24.') && command !== 'detect') {
  nodeModule.enableCompileCache(cache);
  const { importQuickly } = await import('../src/kernel/quick-imports.ts');
  importQuickly();
  await import(script.href);
} else handOver();

function handOver() {
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  const env = { NODE_COMPILE_CACHE: cache, ...process.env };
  const child = spawn(node, [fileURLToPath(script), ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`Node 24 is not there (${error.message}). Run npm ci first.\n`);
    process.exit(1);
  });
  child.on('exit', (status, signal) => {
    if (signal === null) process.exit(status ?? 1);
    // Ends as the child did, for whoever looks at how this process ended.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
