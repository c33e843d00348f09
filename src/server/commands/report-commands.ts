// Reports for staff: the owner of an address, the state of machines, and the integrity of the audit logs.
import type { Command } from 'commander';
import { findAuditProblems } from '#app/account/audit.ts';
import { CommandError } from '#lib/command-error.ts';
import { machineReport } from '#app/machines/report.ts';
import { addressHolder } from '#app/network/address-holder.ts';
import { printLine, withApp } from '../command-line.ts';

export function address(command: Command): void {
  command
    .option('--at <time>', 'Time, such as 2026-11-15T12:00:00Z (default: now)')
    .action((ip: string, options: { at?: string }) =>
      withApp(async (app) => printLine(await addressHolder(app, ip, options.at))),
    );
}

export function machines(command: Command): void {
  command.action(() => withApp(async (app) => (await machineReport(app)).forEach(printLine)));
}

export function audit(command: Command): void {
  command.action(() =>
    withApp(async (app) => {
      const broken = await findAuditProblems(app);
      if (broken.length > 0) throw new CommandError(broken.join('\n'));
      printLine('All audit logs are intact.');
    }),
  );
}
