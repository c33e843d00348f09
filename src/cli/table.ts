// Commands as a table: how each is called, one line of what it does, and where its code is. The tree of commands grows from
// the table alone; a command's options and its work are loaded when it is the one that was called, so that the hundred
// others cost nothing.
import type { Command } from 'commander';
import type { Shell } from './shell.ts';

/** Gives a command its options and its action. */
export type Define = (command: Command, shell: Shell) => void;
export type Row = readonly [summary: string, load?: () => Promise<Define>];
/** The key is how the command is called, arguments included: `server power <action> <service>`. A row without code is a
 * group. A later table may say a row of an earlier one anew. */
export type CommandTable = Readonly<Record<string, Row>>;

/** The code of a file of its own. */
export function from(load: () => Promise<{ readonly define: Define }>): () => Promise<Define> {
  return async () => (await load()).define;
}

/** The same commands under a noun. */
export function under(noun: string, table: CommandTable): CommandTable {
  return Object.fromEntries(Object.entries(table).map(([usage, row]) => [`${noun} ${usage}`, row]));
}

const codeOf = new WeakMap<Command, () => Promise<Define>>();

export function growCommands(program: Command, table: CommandTable, heading: string): void {
  for (const [usage, [summary, load]] of Object.entries(table)) {
    const words = usage.split(' ');
    const path = words.filter((word) => !isArgument(word));
    const command = path.reduce(childOf, program).description(summary);
    if (command.registeredArguments.length === 0) words.filter(isArgument).forEach((word) => command.argument(word));
    if (command.parent === program && command.helpGroup() === '') command.helpGroup(heading);
    if (load !== undefined) codeOf.set(command, load);
  }
}

/** Loads what a command of the table does, once. */
export async function loadCommand(command: Command, shell: Shell): Promise<void> {
  const load = codeOf.get(command);
  if (load === undefined) return;
  codeOf.delete(command);
  (await load())(command, shell);
}

/** The command of this name under another, made where it is not there yet. */
export function childOf(parent: Command, name: string): Command {
  return parent.commands.find((child) => child.name() === name) ?? parent.command(name).helpCommand(false);
}

function isArgument(word: string): boolean {
  return word.startsWith('<') || word.startsWith('[');
}
