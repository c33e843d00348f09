// The tree of commands, built from entries that hold only names and summaries. A command's options and code are loaded when
// it is called, so that starting one command does not pay for the hundred others.
import type { Command } from 'commander';
import type { Shell } from './shell.ts';

/** Adds options and an action to a command. */
export type Define = (command: Command, shell: Shell) => void;

export interface Entry {
  /** The words of the command and its arguments: `server show <service>`. */
  readonly usage: string;
  readonly summary: string;
  /** The last word as it used to be. It still works, but no help shows it. */
  readonly formerly?: string;
  /** Loads the command's own code. Absent if it only groups others. */
  readonly define?: () => Define | Promise<Define>;
  /** Loads the commands below it. */
  readonly commands?: () => Promise<readonly Entry[]>;
}

export interface Implementation<Arguments> {
  readonly define: Define;
  /** Exists only as a type: it ties the handler's arguments to the usage of the entry. */
  readonly takes?: (args: Arguments) => void;
}

/**
 * A command's usage string is the only declaration of its arguments: its type gives the handler their names, so that a
 * mismatch does not compile. `import <zone> <file>` gives `{ zone: string; file: string }`. `[name]` is optional, `<name...>` is a list.
 */
export type ArgumentsOf<Usage extends string> = Usage extends `${infer Word} ${infer Rest}`
  ? ArgumentOf<Word> & ArgumentsOf<Rest>
  : ArgumentOf<Usage>;

type ArgumentOf<Word extends string> = Word extends `<${infer Name}...>` | `[${infer Name}...]`
  ? { readonly [_ in Name]: readonly string[] }
  : Word extends `<${infer Name}>`
    ? { readonly [_ in Name]: string }
    : Word extends `[${infer Name}]`
      ? { readonly [_ in Name]: string | undefined }
      : unknown;

/** Declares a command whose file is loaded when it is called. */
export function lazyCommand<const Usage extends string>(
  usage: Usage,
  summary: string,
  load: () => Promise<Implementation<ArgumentsOf<Usage>>>,
): Entry {
  return { usage, summary, define: async () => (await load()).define };
}

/** Declares a noun whose commands are loaded when one of them is called. */
export function commandGroup(
  usage: string,
  summary: string,
  load: () => Promise<{ readonly commands: readonly Entry[] }>,
): Entry {
  return { usage, summary, commands: async () => (await load()).commands };
}

/** Printed after a wrong command. */
export const helpHint = 'Add --help to see how it is used.';

type Code = Pick<Entry, 'define' | 'commands'>;
const codeOf = new WeakMap<Command, Code>();
const loadedCommands = new WeakSet<Command>();

/** Adds entries below a command. A command that already has code keeps it. */
export function addCommands(parent: Command, entries: readonly Entry[], shell: Shell, heading?: string): void {
  for (const { usage, summary, formerly, ...code } of entries) {
    const words = usage.split(' ');
    const path = words.filter((word) => !isArgument(word));
    const group = path.slice(0, -1).reduce((command, name) => childOf(command, name, shell), parent);
    const args = words.filter(isArgument);
    const command = addCommand(childOf(group, path.at(-1)!, shell), summary, args, code);
    if (heading !== undefined && command.parent === parent && command.helpGroup() === '') command.helpGroup(heading);
    if (formerly !== undefined) addCommand(childOf(group, formerly, shell, { hidden: true }), summary, args, code);
  }
}

function addCommand(command: Command, summary: string, args: readonly string[], code: Code): Command {
  const existing = codeOf.get(command);
  if (existing?.define !== undefined) return command;
  for (const argument of args) command.argument(argument);
  codeOf.set(command, { ...existing, ...code });
  return command.description(summary);
}

/** Loads the code of a command and the entries below it, once. */
export async function loadCommand(command: Command, shell: Shell): Promise<void> {
  if (loadedCommands.has(command)) return;
  loadedCommands.add(command);
  const { define, commands } = codeOf.get(command) ?? {};
  if (commands !== undefined) addCommands(command, await commands(), shell);
  if (define !== undefined) (await define())(command, shell);
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((child) => child.name());
  if (names.length > 0) command.showHelpAfterError(`Commands: ${names.join(', ')}. ${helpHint}`);
}

/** Returns the command of this name below another, and creates it if necessary. */
export function childOf(
  parent: Command,
  name: string,
  shell: Shell,
  options: { readonly hidden?: true } = {},
): Command {
  const existing = parent.commands.find((child) => child.name() === name);
  return existing ?? loadWhenCalled(parent.command(name, options).helpCommand(false), shell);
}

/** Loads whichever subcommand is called, before it reads its options. */
export function loadWhenCalled(command: Command, shell: Shell): Command {
  return command.hook('preSubcommand', (_, called) => loadCommand(called, shell));
}

function isArgument(word: string): boolean {
  return word.startsWith('<') || word.startsWith('[');
}
