// The command line whole: a tree grown from tables, one command loaded and run, its end as an exit code.
import { Command, Option } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { failureOf } from './failures.ts';
import { formats } from './output/show.ts';
import { oneLine } from './output/text.ts';
import type { Shell } from './shell.ts';
import { growCommands, loadCommand, type CommandTable } from './table.ts';

export interface Section {
  readonly heading: string;
  readonly table: CommandTable;
}

const defaultWidth = 100;
const afterwards = `
Sign in with hostyard login, or set HOSTYARD_URL and HOSTYARD_KEY. NO_COLOR=1 switches colour off.
Exit codes and more: docs/cli.md`;

export function buildProgram(sections: readonly Section[], shell: Shell): Command {
  const program = new Command('hostyard')
    .description('The control plane of a hosting provider')
    .version('0.1.0')
    .addOption(new Option('-o, --output <format>', 'how to answer').choices(formats).default('table'))
    .option('--context <name>', 'another context than the current one')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.out.write(text),
      writeErr: (text) => shell.err.write(text),
      getOutHelpWidth: () => shell.out.columns ?? defaultWidth,
      getErrHelpWidth: () => shell.out.columns ?? defaultWidth,
    });
  program.addHelpText('after', afterwards);
  for (const { heading, table } of sections) growCommands(program, table, heading);
  loadWhenCalled(program, shell);
  return program;
}

export async function runProgram(args: readonly string[], sections: readonly Section[], shell: Shell): Promise<number> {
  const program = buildProgram(sections, shell);
  if (args[0] === '__complete') return complete(program, args.slice(1), shell);
  const asked = args[0] === 'help' ? [...args.slice(1), '--help'] : [...args];
  try {
    await program.parseAsync(asked, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const { words, exitCode } = failureOf(error);
    if (words !== '') shell.err.write(`${words}\n`);
    return exitCode;
  }
}

/** What the completion scripts call; no command, since what is being typed is none yet. */
async function complete(program: Command, words: readonly string[], shell: Shell): Promise<number> {
  const { candidates } = await import('./completion/complete.ts');
  for (const { word, about } of await candidates(program, shell, words))
    shell.out.write(`${oneLine(word)}\t${oneLine(about)}\n`);
  return exitCodes.done;
}

function loadWhenCalled(command: Command, shell: Shell): void {
  if (command.commands.length === 0) return;
  command.hook('preSubcommand', (_, called) => loadCommand(called, shell));
  for (const child of command.commands) loadWhenCalled(child, shell);
}
