// hostyard apply, diff, export, seal, password, schema and import: commands for the site file.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { minPasswordLength } from '#contract/parameters.ts';
import { isCommonPassword } from '#app/account/common-passwords.ts';
import { hashPassword } from '#app/account/passwords.ts';
import { readSite } from '#app/site/file.ts';
import { clearSiteProblem } from '#app/site/file-problem.ts';
import { applySiteWithReport, dryRunSite, exportSiteText, reportLines, type Pruning } from '#app/site/report.ts';
import { sealReference } from '#app/site/secrets.ts';
import type { App } from '#app/app.ts';
import { readConfig } from '#lib/config.ts';
import { collectEarly } from '#lib/performance/memory.ts';
import { CommandError, exitCodes } from '#cli/exit-codes.ts';
import { describeFailure } from '#cli/failures.ts';
import { readInput } from '#cli/read-input.ts';
import type { Shell } from '#cli/shell.ts';
import { findSealingKey, ensureSealingKey, secretBox, type SecretBox } from '#lib/secrets.ts';
import { printLine, withApp, withNewApp } from '../command-line.ts';
import { openDataFolder } from '../data-folder.ts';

interface ApplyOptions {
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly yes?: boolean;
}

export function apply(command: Command): void {
  command
    .option('--check', 'Only check the file; needs no database')
    .option('--dry-run', 'Only show the changes')
    .option('--prune', 'Delete unused entries that are not in the file')
    .option('--yes', 'With --prune: also delete entries assigned to customers, unless something runs on them')
    .action(async (argument: string | undefined, options: ApplyOptions) => {
      const file = argument ?? readConfig(process.env).siteFile;
      if (file === undefined) throw new CommandError('Name the site file, or set HOSTYARD_SITE.', exitCodes.usage);
      if (options.check === true) {
        readSite(readFileSync(file, 'utf8'), file, findSecretBox());
        return printLine('The file is valid.');
      }
      await withNewApp(async (app) => {
        const applyOrPreview = options.dryRun === true ? dryRunSite : applySiteWithReport;
        const report = await applyOrPreview(app, readSiteFile(app, file), pruningOf(options));
        if (options.dryRun !== true) await clearSiteProblem(app.store.queries);
        reportLines(report).forEach(printLine);
        const outcome = report.changes.length === 0 ? 'No changes.' : 'Applied.';
        printLine(options.dryRun === true && report.changes.length > 0 ? 'Dry run: nothing was changed.' : outcome);
      });
    });
}

function pruningOf({ prune, yes }: ApplyOptions): Pruning {
  if (prune !== true) return 'nothing';
  return yes === true ? 'used' : 'unused';
}

export function diff(command: Command): void {
  command.action(async (file: string) => {
    const lines = await dryRunLines(file);
    lines.forEach(printLine);
    // Exit codes of diff: 0 for no difference, 1 for differences, 2 for errors.
    if (lines.length > 0) throw new CommandError('', exitCodes.failed);
  });
}

async function dryRunLines(file: string): Promise<string[]> {
  const lines: string[] = [];
  try {
    await withNewApp(async (app) => {
      lines.push(...reportLines(await dryRunSite(app, readSiteFile(app, file), 'nothing')));
    });
  } catch (error) {
    throw new CommandError(describeFailure(error).message, exitCodes.usage);
  }
  return lines;
}

export function exportSite(command: Command): void {
  command.action(() => withApp(async (app) => void process.stdout.write(await exportSiteText(app))));
}

export function seal(command: Command, shell: Shell): void {
  command.action(async () => {
    const config = readConfig(process.env);
    const text = await readLine(shell);
    if (text === '') throw new CommandError('Write the secret to standard input.', exitCodes.usage);
    // Before the first start this creates the key of the installation. In another folder, it creates one that does not open.
    const isNew = config.sealingKey === undefined && findSealingKey(config.dataFolder) === undefined;
    openDataFolder(config.dataFolder);
    const secrets = secretBox(config.sealingKey ?? ensureSealingKey(config.dataFolder));
    if (isNew)
      process.stderr.write(`Created a sealing key in ${resolve(config.dataFolder)}, for a new installation.\n`);
    printLine(`{ sealed: ${sealReference(secrets, text).sealed} }`);
  });
}

export function password(command: Command, shell: Shell): void {
  command.action(async () => {
    const text = await readLine(shell);
    // The file may use it for staff.
    if (text.length < minPasswordLength.staff || (await isCommonPassword(text)))
      throw new CommandError(
        `Use a password of at least ${minPasswordLength.staff} characters that is not a common one.`,
        exitCodes.usage,
      );
    printLine(await hashPassword(text));
  });
}

async function readLine(shell: Shell): Promise<string> {
  return (await readInput(shell, '-')).replace(/\r?\n$/, '');
}

export function schema(command: Command): void {
  command.action(async () => {
    const { siteSchema } = await import('#app/site/schema.ts');
    printLine(JSON.stringify(siteSchema(), undefined, 2));
  });
}

interface ImportOptions {
  readonly provider: string;
  readonly currency: string;
}

export function importNetbox(command: Command): void {
  command
    .option('--provider <name>', 'Name of the provider', 'Example Hosting')
    .option('--currency <code>', 'Currency of the provider', 'EUR')
    .action(async (files: string[], { provider, currency }: ImportOptions) => {
      const netbox = await import('#app/site/netbox.ts');
      const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const);
      const { text, skipped } = netbox.importNetbox(texts, { name: provider, currency });
      process.stdout.write(text);
      for (const line of skipped) process.stderr.write(`skipped: ${line}\n`);
    });
}

function readSiteFile(app: App, file: string) {
  collectEarly();
  return readSite(readFileSync(file, 'utf8'), file, app.secrets);
}

/** Returns undefined if the installation has no key yet. */
function findSecretBox(): SecretBox | undefined {
  const config = readConfig(process.env);
  const key = config.sealingKey ?? findSealingKey(config.dataFolder);
  return key && secretBox(key);
}
