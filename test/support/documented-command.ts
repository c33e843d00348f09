// Checks that a command written in a document exists, without running it: words, options and number of arguments
// against the CLI's command tables, npm scripts against package.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { program } from '#server/program.ts';
import { buildProgram } from '#cli/program.ts';
import { processShell } from '#cli/shell.ts';
import { loadCommand } from '#cli/command-tree.ts';
import { root } from './pages.ts';

const npmItself = new Set(['install', 'sbom', 'version', 'audit', 'ci', 'start', 'test']);
/**
 * Matches where a command begins: at a line start, after another command, in a substitution, after variable
 * assignments, and after words such as sudo.
 */
const commandPattern =
  /(?:^|[;&|(]) *(?:(?:exec|until|sudo) )?(?:[A-Z_]+=\S* )*(?:npx |\/opt\/hostyard\/bin\/)?(hostyard|npm) ([^|;&)<>#]*)/g;
const shell = { ...processShell(), out: new PassThrough(), err: new PassThrough() };
const rootCommand = buildProgram(program, shell);

/** Returns what is wrong with the command, or undefined if nothing is or if it is not ours. */
export async function findCommandProblem(line: string): Promise<string | undefined> {
  for (const [, called, rest] of line.matchAll(commandPattern)) {
    const words = wordsOf(rest!);
    const problem = called === 'npm' ? scriptProblem(words) : await hostyardProblem(words);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(/"[^"]*"|'[^']*'|\[[^\]]*\]|\S+/g)].map(([word]) => word);
}

function scriptProblem([first, second]: readonly string[]): string | undefined {
  if (first === undefined || npmItself.has(first)) return undefined;
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  return first === 'run' && second !== undefined && second in scripts ? undefined : 'no script of package.json';
}

async function hostyardProblem(words: readonly string[]): Promise<string | undefined> {
  let command = rootCommand;
  const rest = words.filter((word) => word !== '…');
  while (rest.length > 0) {
    const child = command.commands.find((candidate) => candidate.name() === rest[0]);
    if (child === undefined) break;
    command = child;
    rest.shift();
    await loadCommand(command, shell);
  }
  if (command.commands.length > 0 && rest.some((word) => !word.startsWith('-'))) return `no command ${rest[0]}`;
  return argumentProblem(command, rest, {
    mentioned: rest.length === 0 || words.length > rest.length + depth(command),
  });
}

function depth(command: Command): number {
  return command.parent === null ? 0 : 1 + depth(command.parent);
}

function argumentProblem(
  command: Command,
  words: readonly string[],
  { mentioned }: { mentioned: boolean },
): string | undefined {
  const options = lineage(command).flatMap(({ options }) => options);
  const parameters = command.registeredArguments;
  const takesAll = parameters.at(-1)?.variadic === true && command.options.length === 0;
  if (takesAll) return undefined;
  let argumentCount = 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!.replaceAll(/[[\]]/g, '');
    if (!word.startsWith('-')) argumentCount += 1;
    else if (word === '--help' || word === '--version') return undefined;
    else {
      const [name, value] = word.split('=', 2);
      const option = options.find(({ short, long }) => name === short || name === long);
      if (option === undefined) return `no option ${name}`;
      if (option.required && value === undefined) index += 1;
    }
  }
  const least = parameters.filter(({ required }) => required).length;
  if (argumentCount > parameters.length && parameters.at(-1)?.variadic !== true)
    return `takes ${parameters.length} arguments`;
  return argumentCount < least && !mentioned ? `wants ${least} arguments` : undefined;
}

function lineage(command: Command): Command[] {
  return command.parent === null ? [command] : [command, ...lineage(command.parent)];
}
