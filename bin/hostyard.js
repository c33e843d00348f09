#!/usr/bin/env node
// The command line. The sources are TypeScript, which the Node 24 that npm installed runs as it is; whatever node started
// this file hands over to that one, and hands on the signals that ask it to end.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
const [command, ...rest] = process.argv.slice(2);
// Detectors call this one at the worst of times: it starts without all the others.
const [file, args] = command === 'detect' ? ['detect.ts', rest] : ['commands.ts', process.argv.slice(2)];
const script = fileURLToPath(new URL(`../src/admin/${file}`, import.meta.url));
const child = spawn(node, [script, ...args], { stdio: 'inherit' });
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
