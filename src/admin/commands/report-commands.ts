// What staff look up: who holds an address, what became of machines, whether the audit logs are whole.
import type { Command } from 'commander';
import { verifyAudit } from '#app/account/audit.ts';
import { AdminError } from '#app/admin-error.ts';
import { machineReport } from '#app/machines/report.ts';
import { addressHolder } from '#app/network/address-holder.ts';
import { say, withYard } from '../command-line.ts';

export function address(command: Command): void {
  command
    .option('--at <moment>', 'such as 2026-11-15T12:00:00Z; now unless told')
    .action((ip: string, options: { at?: string }) =>
      withYard(async (yard) => say(await addressHolder(yard, ip, options.at))),
    );
}

export function machines(command: Command): void {
  command.action(() => withYard(async (yard) => (await machineReport(yard)).forEach(say)));
}

export function audit(command: Command): void {
  command.action(() =>
    withYard(async (yard) => {
      const broken = await verifyAudit(yard);
      if (broken.length > 0) throw new AdminError(broken.join('\n'));
      say('Every audit log is whole.');
    }),
  );
}
