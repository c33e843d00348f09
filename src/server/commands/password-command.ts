// hostyard password: hashes a password for a site file.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { hashPassword } from '#app/account/passwords.ts';
import { printLine } from '../command-line.ts';

export function password(command: Command): void {
  command.action(async () => printLine(await hashPassword(readFileSync(0, 'utf8').replace(/\r?\n$/, ''))));
}
