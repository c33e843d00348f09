// Reads a file that a command was given, or its standard input for `-`.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Shell } from './shell.ts';

export function readInput({ in: input }: Pick<Shell, 'in'>, file: string): Promise<string> {
  // As a stream, because reading a pipe at once fails while its writer is slow.
  return file === '-' ? text(input) : readFile(file, 'utf8');
}
