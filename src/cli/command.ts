// Declares commands. API commands run signed in, with a client; local commands need no session.
import { InvalidArgumentError, type Command } from 'commander';
import type { Client } from '#sdk/v2.ts';
import { openSession, printerFor, type Invocation, type Session } from './session.ts';
import { resolveServiceId } from './lookup.ts';
import type { Shell } from './shell.ts';
import type { ArgumentsOf, Entry, Implementation } from './command-tree.ts';

interface Handler<Context, Arguments, Options> {
  /** Adds the command's options. */
  readonly options?: (command: Command) => unknown;
  readonly run: (context: Context, args: Arguments, options: Options) => Promise<void> | void;
}
type Declaration<Usage extends string> = Pick<Entry, 'summary' | 'formerly'> & { readonly usage: Usage };

/** Implements a command that calls the API and whose usage is declared with `lazyCommand`. */
export const apiHandler = createHandler(openSession);
/** Implements a command that works without signing in and whose usage is declared with `lazyCommand`. */
export const localHandler = createHandler((command, shell): Invocation => ({
  command,
  shell,
  print: printerFor(command, shell),
}));

function createHandler<Context>(open: (command: Command, shell: Shell) => Context | Promise<Context>) {
  return <Arguments, Options = object>({
    options,
    run,
  }: Handler<Context, Arguments, Options>): Implementation<Arguments> => ({
    define(command, shell) {
      options?.(command);
      command.action(async () => run(await open(command, shell), argumentsOf(command), command.opts() as Options));
    },
  });
}

function argumentsOf<Arguments>(command: Command): Arguments {
  const values = command.registeredArguments.map((argument, index) => [argument.name(), command.processedArgs[index]]);
  return Object.fromEntries(values) as Arguments;
}

/** Declares a command that calls the API, signed in with the current context. */
export function apiCommand<const Usage extends string, Options = object>(
  declaration: Declaration<Usage> & Handler<Session, ArgumentsOf<Usage>, Options>,
): Entry {
  return { ...declaration, define: () => apiHandler(declaration).define };
}

/** Declares a command that works without signing in. */
export function localCommand<const Usage extends string, Options = object>(
  declaration: Declaration<Usage> & Handler<Invocation, ArgumentsOf<Usage>, Options>,
): Entry {
  return { ...declaration, define: () => localHandler(declaration).define };
}

/** Declares a command that calls an operation of one service and prints the text that it returns. */
export function serviceTextCommand(
  usage: `${string} <service>`,
  summary: string,
  call: (client: Client, input: { readonly service: string }) => Promise<string>,
): Entry {
  return apiCommand({
    usage,
    summary,
    async run({ client, print }, args: { readonly service: string }) {
      await print.text(await call(client, { service: await resolveServiceId(client, args.service) }));
    },
  });
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

/** Parses an option such as `--limit`. */
export function parseCount(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError(`“${text}” is not a whole number.`);
  return Number(text);
}

/** Collects an option that can be repeated or hold several values separated by commas. */
export function collectList(value: string, previous: readonly string[] = []): string[] {
  return [...previous, ...value.split(',').map((item) => item.trim())];
}

/** Returns the services that a person or key is limited to. An empty list removes the limit. */
export function servicesInput(services: readonly string[] | undefined): { services?: string[] } {
  return services === undefined ? {} : { services: services.filter((id) => id !== 'all') };
}
