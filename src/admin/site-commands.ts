// hostyard apply: the site file.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { applySite } from '#app/site/apply.ts';
import { readSite } from '#app/site/file.ts';
import { say, withYard } from './command-line.ts';

export function apply(command: Command): void {
  command.option('--check', 'only check the file').action(async (file: string, options: { check?: boolean }) => {
    const site = readSite(readFileSync(file, 'utf8'), file);
    if (options.check !== true) await withYard((yard) => applySite(yard, site));
    say(options.check === true ? 'The file is good.' : 'Applied.');
  });
}
