// hostyard detect for the help and for completeness. bin/hostyard.js starts detect.ts directly, which is faster.
import type { Command } from 'commander';
import { detect } from './detect.ts';

export function detectCommand(command: Command): void {
  command
    .helpOption(false)
    .allowUnknownOption()
    .action((args: string[]) => detect(args));
}
