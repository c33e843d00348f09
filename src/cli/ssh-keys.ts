// Public keys for root, from files as ssh-keygen writes them.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';

export interface SshKeyOptions {
  readonly sshKey?: readonly string[];
}

export function withSshKeys(command: Command): Command {
  return command.option('--ssh-key <file>', 'a public key for root; may be given again', gathered);
}

export function sshKeysOf({ sshKey }: SshKeyOptions): { sshkeys?: string[] } {
  return sshKey === undefined ? {} : { sshkeys: sshKey.map((file) => readFileSync(file, 'utf8').trim()) };
}

function gathered(file: string, before: readonly string[] = []): string[] {
  return [...before, file];
}
