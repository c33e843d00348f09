// hostyard adopt: lists machines that a hypervisor had before Hostyard, and adopts them.
import type { Command } from 'commander';
import { adoptMachine, listUnknownMachines, type AdoptionOrder, type AdoptionResult } from '#app/machines/adoption.ts';
import { CommandError, exitCodes } from '#cli/exit-codes.ts';
import { parseWholeNumber, printLine, withApp } from '../command-line.ts';

interface AdoptOptions {
  readonly service?: number;
  readonly template?: string;
  readonly bandwidth?: number;
  readonly filter?: boolean;
  readonly dryRun?: boolean;
}

export function adopt(command: Command): void {
  command
    .option(
      '--service <id>',
      'Service that gets the machine: of type vps or cloud, and without a machine',
      parseWholeNumber,
    )
    .option('--template <value>', 'Template closest to its operating system')
    .option('--bandwidth <gigabytes>', 'Traffic allowance per month', parseWholeNumber)
    .option('--filter', 'From the next check on, let the machine use only the addresses of its service')
    .option('--dry-run', 'Only check, and show what Hostyard cannot do with the machine')
    .action((node: string, machine: string | undefined, options: AdoptOptions) =>
      withApp(async (app) => {
        if (machine === undefined) {
          const unknown = await listUnknownMachines(app, node);
          if (unknown.length === 0) return printLine(`All machines of ${node} already belong to services.`);
          return unknown.forEach(({ name, power }) => printLine(`${name}  ${power}`));
        }
        const result = await adoptMachine(app, orderOf(node, machine, options), options.dryRun === true);
        describe(machine, result).forEach(printLine);
        if (options.dryRun === true) printLine('Dry run: nothing was changed.');
        return undefined;
      }),
    );
}

function orderOf(node: string, machine: string, options: AdoptOptions): AdoptionOrder {
  const { service, template, bandwidth, filter } = options;
  if (service === undefined || template === undefined || bandwidth === undefined)
    throw new CommandError('To adopt a machine, pass --service, --template and --bandwidth.', exitCodes.usage);
  return { node, machine, service, template, bandwidthGb: bandwidth, isFiltered: filter === true };
}

function describe(name: string, { outcome, machine }: AdoptionResult): string[] {
  const { vcpus, memoryMb, diskGb, mac, limitations } = machine;
  const size = `${vcpus} CPUs, ${memoryMb} MB of memory, ${diskGb} GB of disk, MAC address ${mac ?? 'unknown'}`;
  const summary = {
    adopted: `${name} is now the machine of the service: ${size}.`,
    changed: `${name} was already adopted. Its network filter was changed.`,
    unchanged: `${name} was already adopted. Nothing to do.`,
  }[outcome];
  return [summary, ...limitations];
}
