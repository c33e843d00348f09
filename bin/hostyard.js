#!/usr/bin/env node
// The command line. The sources are TypeScript, which the Node 24 that npm installed runs as it is; whatever node started
// this file hands over to that one.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
const commands = fileURLToPath(new URL('../src/admin/commands.ts', import.meta.url));
const { status, signal, error } = spawnSync(node, [commands, ...process.argv.slice(2)], { stdio: 'inherit' });
if (error !== undefined) {
  process.stderr.write(`Node 24 is not there (${error.message}). Run npm ci first.\n`);
  process.exit(1);
}
if (signal !== null) process.kill(process.pid, signal);
process.exit(status ?? 1);
