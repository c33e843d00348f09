// The command line as a whole: builds the tree of commands, runs the one that was called and returns its exit code.
import { Command, Help, Option, type HelpConfiguration } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { describeFailure, isKeyProblem } from './failures.ts';
import { formats } from './output/printer.ts';
import { singleLine, stripControls } from './output/text.ts';
import type { Shell } from './shell.ts';
import { addCommands, helpHint, loadWhenCalled, type Entry } from './command-tree.ts';

export interface Program {
  readonly version: string;
  readonly sections: readonly { readonly heading: string; readonly commands: readonly Entry[] }[];
}

const defaultWidth = 100;
const footer = `
Sign in with hostyard login, or set HOSTYARD_URL and HOSTYARD_KEY. Set NO_COLOR=1 to disable colour.
Exit codes and more: docs/reference/cli.md`;

/** Options look optional; some are not. */
export const helpSettings: HelpConfiguration = {
  optionDescription(option) {
    const text = Help.prototype.optionDescription.call(this, option);
    return option.mandatory ? `${text} (required)`.trimStart() : text;
  },
};

export function buildProgram({ version, sections }: Program, shell: Shell): Command {
  const program = new Command('hostyard')
    .description('The control plane of a hosting provider')
    .version(version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .addOption(new Option('-o, --output <format>', 'Output format').choices(formats).default('table'))
    .option('--context <name>', 'Context to use instead of the current one')
    .helpCommand(false)
    .configureHelp({ ...helpSettings, showGlobalOptions: true })
    .showSuggestionAfterError()
    .showHelpAfterError(helpHint)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.out.write(text),
      writeErr: (text) => shell.err.write(text),
      getOutHelpWidth: () => shell.out.columns || defaultWidth,
      getErrHelpWidth: () => shell.out.columns || defaultWidth,
    });
  program.addHelpText('after', footer);
  loadWhenCalled(program, shell);
  for (const { heading, commands } of sections) addCommands(program, commands, shell, heading);
  return program;
}

export async function runProgram(args: readonly string[], program: Program, shell: Shell): Promise<number> {
  const root = buildProgram(program, shell);
  if (args[0] === '__complete') return complete(root, args.slice(1), shell);
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : [...args];
  try {
    await root.parseAsync(words, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const { message, exitCode } = describeFailure(error);
    if (message !== '') shell.err.write(`${stripControls(message)}\n`);
    if (isKeyProblem(error) && words[0] !== 'login') {
      const { explainKey } = await import('./contexts.ts');
      const role = words[0] === 'operator' ? 'operator' : 'customer';
      const line = await explainKey(
        shell,
        role,
        root.opts<{ context?: string }>().context,
        error.code !== 'unauthenticated',
      );
      if (line !== undefined) shell.err.write(`${line}\n`);
    }
    return exitCode;
  }
}

/** Prints candidates for the completion scripts. Not a command, because it parses a line that is still incomplete. */
async function complete(program: Command, words: readonly string[], shell: Shell): Promise<number> {
  const { findCandidates: candidates } = await import('./completion/complete.ts');
  for (const { word, about } of await candidates(program, shell, words))
    shell.out.write(`${singleLine(word)}\t${singleLine(about)}\n`);
  return exitCodes.done;
}
