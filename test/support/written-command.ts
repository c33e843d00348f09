// A command as it is written in a document: whether there is such a one. Nothing is run; words, options and the number of
// arguments are held against the tables that the command line grows from, scripts against package.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { sections } from '#admin/sections.ts';
import { buildProgram } from '#cli/program.ts';
import { processShell } from '#cli/shell.ts';
import { loadCommand } from '#cli/table.ts';
import { root } from './pages.ts';

const npmItself = new Set(['audit', 'ci', 'start', 'test']);
/** Where a command begins: a line, what follows another one, a substitution, after settings and after words that run it. */
const ours =
  /(?:^|[;&|(]) *(?:(?:exec|until|sudo) )?(?:[A-Z_]+=\S* )*(?:npx |\/opt\/hostyard\/bin\/)?(hostyard|npm) ([^|;&)<>#]*)/g;
const shell = { ...processShell(), out: new PassThrough(), err: new PassThrough() };
const program = buildProgram(sections, shell);

/** What is wrong with it; undefined where nothing is, or it is no command of ours. */
export async function commandFault(line: string): Promise<string | undefined> {
  for (const [, called, rest] of line.matchAll(ours)) {
    const words = wordsOf(rest!);
    const fault = called === 'npm' ? scriptFault(words) : await hostyardFault(words);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(/"[^"]*"|'[^']*'|\[[^\]]*\]|\S+/g)].map(([word]) => word);
}

function scriptFault([first, second]: readonly string[]): string | undefined {
  if (first === undefined || npmItself.has(first)) return undefined;
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  return first === 'run' && second !== undefined && second in scripts ? undefined : 'no script of package.json';
}

async function hostyardFault(words: readonly string[]): Promise<string | undefined> {
  let command = program;
  const rest = words.filter((word) => word !== '…');
  while (rest.length > 0) {
    const child = command.commands.find((each) => each.name() === rest[0]);
    if (child === undefined) break;
    command = child;
    rest.shift();
    await loadCommand(command, shell);
  }
  if (command.commands.length > 0 && rest.some((word) => !word.startsWith('-'))) return `no command ${rest[0]}`;
  return argumentFault(command, rest, { mentioned: rest.length === 0 || words.length > rest.length + depth(command) });
}

function depth(command: Command): number {
  return command.parent === null ? 0 : 1 + depth(command.parent);
}

function argumentFault(
  command: Command,
  words: readonly string[],
  { mentioned }: { mentioned: boolean },
): string | undefined {
  const known = lineage(command).flatMap(({ options }) => options);
  const wanted = command.registeredArguments;
  const takesAll = wanted.at(-1)?.variadic === true && command.options.length === 0;
  if (takesAll) return undefined;
  let given = 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!.replaceAll(/[[\]]/g, '');
    if (!word.startsWith('-')) given += 1;
    else if (word === '--help' || word === '--version') return undefined;
    else {
      const option = known.find(({ short, long }) => word === short || word === long);
      if (option === undefined) return `no option ${word}`;
      if (option.required) index += 1;
    }
  }
  const least = wanted.filter(({ required }) => required).length;
  if (given > wanted.length && wanted.at(-1)?.variadic !== true) return `takes ${wanted.length} arguments`;
  return given < least && !mentioned ? `wants ${least} arguments` : undefined;
}

function lineage(command: Command): Command[] {
  return command.parent === null ? [command] : [command, ...lineage(command.parent)];
}
