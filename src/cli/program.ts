// The command line whole: a tree grown from tables, one command loaded and run, its end as an exit code.
import { Command, CommanderError } from 'commander';
import { CommandError, exitCodes } from './exit-codes.ts';
import type { Shell } from './shell.ts';
import { growCommands, loadCommand, type CommandTable } from './table.ts';

export interface Section {
  readonly heading: string;
  readonly table: CommandTable;
}

export function buildProgram(sections: readonly Section[], shell: Shell): Command {
  const program = new Command('hostyard')
    .description('The control plane of a hosting provider')
    .version('0.1.0')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.out.write(text),
      writeErr: (text) => shell.err.write(text),
      getOutHelpWidth: () => shell.out.columns ?? 100,
      getErrHelpWidth: () => shell.out.columns ?? 100,
    });
  for (const { heading, table } of sections) growCommands(program, table, heading);
  loadWhenCalled(program, shell);
  return program;
}

export async function runProgram(args: readonly string[], sections: readonly Section[], shell: Shell): Promise<number> {
  const program = buildProgram(sections, shell);
  const asked = args[0] === 'help' ? [...args.slice(1), '--help'] : [...args];
  try {
    await program.parseAsync(asked, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Commander has already told what was wrong with the call, or given the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    shell.err.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof CommandError ? error.exitCode : exitCodes.failed;
  }
}

function loadWhenCalled(command: Command, shell: Shell): void {
  if (command.commands.length === 0) return;
  command.hook('preSubcommand', (_, called) => loadCommand(called, shell));
  for (const child of command.commands) loadWhenCalled(child, shell);
}
