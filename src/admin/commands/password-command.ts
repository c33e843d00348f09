// hostyard password: a hash for a site file.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { passwordHash } from '#app/account/passwords.ts';
import { say } from '../command-line.ts';

export function password(command: Command): void {
  command.action(async () => say(await passwordHash(readFileSync(0, 'utf8').replace(/\r?\n$/, ''))));
}
