// hostyard detect for its help and for completeness. Otherwise bin/hostyard.js starts detect.ts directly, which is faster.
import type { Command } from 'commander';
import { detect, usage } from './detect.ts';

export function detectCommand(command: Command): void {
  command
    .usage(usage)
    .allowUnknownOption()
    .action((args: string[]) => detect(args));
}
