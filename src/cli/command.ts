// Declares commands. API commands run signed in, with a client; local commands need no session.
import type { Command } from 'commander';
import type { Printer } from './output/printer.ts';
import { openSession, printerFor, type Session } from './session.ts';
import type { Shell } from './shell.ts';
import type { Entry, Implementation } from './command-tree.ts';
import type { ArgumentsOf } from './usage.ts';

export interface Invocation {
  readonly command: Command;
  readonly shell: Shell;
  readonly print: Printer;
}
interface Handler<Context, Arguments, Options> {
  /** Adds the command's options. */
  readonly options?: (command: Command) => unknown;
  readonly run: (context: Context, args: Arguments, options: Options) => Promise<void> | void;
}
type Declaration<Usage extends string> = Pick<Entry, 'summary' | 'formerly'> & { readonly usage: Usage };

/** Declares a command that calls the API, signed in with the current context. */
export function apiCommand<const Usage extends string, Options = object>(
  declaration: Declaration<Usage> & Handler<Session, ArgumentsOf<Usage>, Options>,
): Entry {
  return entryOf(declaration, apiHandler(declaration));
}

/** Declares a command that works without signing in. */
export function localCommand<const Usage extends string, Options = object>(
  declaration: Declaration<Usage> & Handler<Invocation, ArgumentsOf<Usage>, Options>,
): Entry {
  return entryOf(declaration, localHandler(declaration));
}

function entryOf<Arguments>(
  { usage, summary, formerly }: Declaration<string>,
  { define }: Implementation<Arguments>,
): Entry {
  return { usage, summary, ...(formerly === undefined ? {} : { formerly }), define: () => define };
}

/** Implements a command whose usage is declared with `lazyCommand`. */
export function apiHandler<Arguments, Options = object>({
  options,
  run,
}: Handler<Session, Arguments, Options>): Implementation<Arguments> {
  return {
    define(command, shell) {
      options?.(command);
      command.action(async () =>
        run(await openSession(command, shell), argumentsOf(command), command.opts() as Options),
      );
    },
  };
}

export function localHandler<Arguments, Options = object>({
  options,
  run,
}: Handler<Invocation, Arguments, Options>): Implementation<Arguments> {
  return {
    define(command, shell) {
      options?.(command);
      command.action(() =>
        run({ command, shell, print: printerFor(command, shell) }, argumentsOf(command), command.opts() as Options),
      );
    },
  };
}

function argumentsOf<Arguments>(command: Command): Arguments {
  const values = command.registeredArguments.map((argument, index) => [argument.name(), command.processedArgs[index]]);
  return Object.fromEntries(values) as Arguments;
}

export interface YesOption {
  readonly yes?: boolean;
}
export interface WaitOption {
  readonly wait?: boolean;
}

export function withYes(command: Command): Command {
  return command.option('-y, --yes', 'Do not ask for confirmation');
}

export function withWait(command: Command): Command {
  return command.option('-w, --wait', 'Wait until the action has ended; the exit code is its result');
}

/** Collects an option that can be repeated or hold several values separated by commas. */
export function collectList(value: string, previous: readonly string[] = []): string[] {
  return [...previous, ...value.split(',').map((item) => item.trim())];
}
