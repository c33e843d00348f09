// hostyard apply, diff, export, seal, schema and import: the site file.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readSite } from '#app/site/file.ts';
import { applyTold, applyTried, exportText, reportLines, type Pruning } from '#app/site/report.ts';
import { sealedReference } from '#app/site/secrets.ts';
import type { Yard } from '#app/yard.ts';
import { readConfig } from '#kernel/config.ts';
import { CommandError, exitCodes } from '#cli/exit-codes.ts';
import { existingSealingKey, sealingKeyOf, secretBox, type SecretBox } from '#kernel/secrets.ts';
import { say, withYard } from '../command-line.ts';
import { openDataFolder } from '../data-folder.ts';

interface ApplyOptions {
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly yes?: boolean;
}

export function apply(command: Command): void {
  command
    .option('--check', 'only check the file; needs no database')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--prune', 'remove what the file leaves out and nobody uses')
    .option('--yes', 'with --prune: also what customers use, as long as nothing of theirs runs on it')
    .action(async (file: string, options: ApplyOptions) => {
      if (options.check === true) {
        readSite(readFileSync(file, 'utf8'), file, secretsHere());
        return say('The file is good.');
      }
      await withYard(async (yard) => {
        const act = options.dryRun === true ? applyTried : applyTold;
        const report = await act(yard, siteOf(yard, file), pruningOf(options));
        reportLines(report).forEach(say);
        const done = report.changes.length === 0 ? 'Nothing to change.' : 'Applied.';
        say(options.dryRun === true && report.changes.length > 0 ? 'Nothing was changed: this was a dry run.' : done);
      });
    });
}

function pruningOf({ prune, yes }: ApplyOptions): Pruning {
  if (prune !== true) return 'nothing';
  return yes === true ? 'used' : 'unused';
}

export function diff(command: Command): void {
  command.action(async (file: string) => {
    const lines = await linesOf(file);
    lines.forEach(say);
    // As diff has it: 0 the same, 1 not, 2 trouble.
    if (lines.length > 0) throw new CommandError('', exitCodes.failed);
  });
}

async function linesOf(file: string): Promise<string[]> {
  const lines: string[] = [];
  try {
    await withYard(async (yard) => {
      lines.push(...reportLines(await applyTried(yard, siteOf(yard, file), 'nothing')));
    });
  } catch (error) {
    throw new CommandError((error as Error).message, exitCodes.usage);
  }
  return lines;
}

export function exportSite(command: Command): void {
  command.action(() => withYard(async (yard) => void process.stdout.write(await exportText(yard))));
}

export function seal(command: Command): void {
  command.action(() => {
    const config = readConfig(process.env);
    // Before the first start there is none yet: this one is the installation's from now on.
    openDataFolder(config.dataFolder);
    const secrets = secretBox(config.sealingKey ?? sealingKeyOf(config.dataFolder));
    say(`{ sealed: ${sealedReference(secrets, readFileSync(0, 'utf8').replace(/\r?\n$/, '')).sealed} }`);
  });
}

export function schema(command: Command): void {
  command.action(async () => {
    const { siteSchema } = await import('#app/site/schema.ts');
    say(JSON.stringify(siteSchema(), undefined, 2));
  });
}

interface ImportOptions {
  readonly provider: string;
  readonly currency: string;
}

export function importNetbox(command: Command): void {
  command
    .option('--provider <name>', 'the provider’s name in the file', 'Example Hosting')
    .option('--currency <code>', 'the provider’s currency', 'EUR')
    .action(async (files: string[], { provider, currency }: ImportOptions) => {
      const { netboxSite } = await import('#app/site/netbox.ts');
      const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const);
      const { text, leftOut } = netboxSite(texts, { name: provider, currency });
      process.stdout.write(text);
      for (const line of leftOut) process.stderr.write(`left out: ${line}\n`);
    });
}

function siteOf(yard: Yard, file: string) {
  return readSite(readFileSync(file, 'utf8'), file, yard.secrets);
}

/** Of this installation, where it has a key already. */
function secretsHere(): SecretBox | undefined {
  const config = readConfig(process.env);
  const key = config.sealingKey ?? existingSealingKey(config.dataFolder);
  return key && secretBox(key);
}
