// A temporary folder that is removed when its test ends, and also when the test process dies: a failed assertion,
// Ctrl-C, kill -9. A process cannot clean up after its own kill -9, so a small shell waits on a pipe that closes with
// the process, and then removes every folder it has been given.
//
//   await using folder = await temporaryFolder()

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { Socket } from 'node:net';

export interface TemporaryFolder extends AsyncDisposable {
  path: string;
}

export async function temporaryFolder(name = 'test', parent = tmpdir()): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, `hostyard-${name}-`));
  remover ??= startRemover();
  remover.write(`${path}\n`);
  return { path, [Symbol.asyncDispose]: () => removeFolder(path) };
}

// A daemon that was just killed may still write a last file, hence the second try.
const removal = `
  while IFS= read -r folder; do set -- "$@" "$folder"; done
  rm -rf -- "$@" || { sleep 1; rm -rf -- "$@"; }`;

let remover: Writable | undefined;

function startRemover(): Writable {
  // Detached, so that Ctrl-C does not reach it; unreferenced, so that no test waits for it.
  const shell = spawn('/bin/sh', ['-c', removal], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return shell.stdin;
}

function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
