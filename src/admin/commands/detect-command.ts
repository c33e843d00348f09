// hostyard detect, as the help shows it; a detector's call goes straight to detect.ts.
import type { Command } from 'commander';
import { detect } from './detect.ts';

export function detectCommand(command: Command): void {
  command
    .helpOption(false)
    .allowUnknownOption()
    .action((args: string[]) => detect(args));
}
