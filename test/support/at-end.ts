// Cleans up on the test machine even if the test process is killed: a shell waits on a pipe that closes with it.
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/** Returns a function that runs the commands now, and resolves when they have run. */
export function runAtEnd(commands: string): () => Promise<void> {
  const shell = spawn('/bin/sh', ['-c', `read -r end; ${commands}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  const pipe: Writable = shell.stdin;
  shell.unref();
  if (pipe instanceof Socket) pipe.unref();
  const { promise, resolve } = Promise.withResolvers<void>();
  shell.on('exit', () => resolve());
  return () => {
    shell.ref();
    pipe.end();
    return promise;
  };
}
