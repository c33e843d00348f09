// Public SSH keys for root, read from files in the format of ssh-keygen.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';

export interface SshKeyOptions {
  readonly sshKey?: readonly string[];
}

export function withSshKeys(command: Command): Command {
  return command.option('--ssh-key <file>', 'Public key file for root; can be repeated', collectFile);
}

export function readSshKeys({ sshKey }: SshKeyOptions): { sshkeys?: string[] } {
  return sshKey === undefined ? {} : { sshkeys: sshKey.map((file) => readFileSync(file, 'utf8').trim()) };
}

function collectFile(file: string, previous: readonly string[] = []): string[] {
  return [...previous, file];
}
