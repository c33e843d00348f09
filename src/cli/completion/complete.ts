// What can stand where somebody pressed Tab. The tree of commands knows words and options; services, zones and contexts come
// from where they are kept. A completion never complains: where there is nothing to say it says nothing.
import type { Argument, Command, Option } from 'commander';
import type { Shell } from '../shell.ts';
import { loadCommand } from '../table.ts';
import type { Candidate } from './kept-names.ts';

/** `words` are those after the program's name; the last is the one being typed, perhaps empty. */
export async function candidates(program: Command, shell: Shell, words: readonly string[]): Promise<Candidate[]> {
  const typed = words.at(-1) ?? '';
  const place = await placeOf(program, shell, words.slice(0, -1));
  const all = await allAt(place, typed, shell, contextIn(words));
  return all.filter(({ word }) => word.startsWith(typed)).sort((one, other) => (one.word < other.word ? -1 : 1));
}

interface Place {
  readonly command: Command;
  /** The option whose value is being typed. */
  readonly option: Option | undefined;
  readonly argument: Argument | undefined;
  readonly isFirst: boolean;
}

async function placeOf(program: Command, shell: Shell, before: readonly string[]): Promise<Place> {
  let command = program;
  let option: Option | undefined;
  let position = 0;
  for (const word of before) {
    if (option !== undefined) option = undefined;
    else if (word.startsWith('-')) option = word.includes('=') ? undefined : valued(command, word);
    else {
      const child = position === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (child === undefined) position++;
      else {
        command = child;
        await loadCommand(command, shell);
      }
    }
  }
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[position] ?? (last?.variadic === true ? last : undefined);
  return { command, option, argument, isFirst: position === 0 };
}

async function allAt(
  { command, option, argument, isFirst }: Place,
  typed: string,
  shell: Shell,
  context: string | undefined,
): Promise<Candidate[]> {
  if (option !== undefined)
    return option.argChoices?.map((word) => ({ word, about: '' })) ?? kept(option.attributeName(), shell, context);
  if (typed.startsWith('-'))
    return optionsOf(command).map(({ long, short, description }) => ({ word: long ?? short!, about: description }));
  if (isFirst && command.commands.length > 0)
    return command.commands.map((child) => ({ word: child.name(), about: child.description() }));
  return argument === undefined ? [] : kept(argument.name(), shell, context);
}

async function kept(name: string, shell: Shell, context: string | undefined): Promise<Candidate[]> {
  const { keptNames } = await import('./kept-names.ts');
  try {
    return await keptNames(name, shell, context);
  } catch {
    return [];
  }
}

function optionsOf(command: Command): Option[] {
  const own = command.createHelp().visibleOptions(command);
  return command.parent === null
    ? own
    : [...own, ...optionsOf(rootOf(command)).filter(({ long }) => long !== '--version' && long !== '--help')];
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function valued(command: Command, word: string): Option | undefined {
  const option = optionsOf(command).find(({ long, short }) => long === word || short === word);
  return option !== undefined && (option.required || option.optional) ? option : undefined;
}

function contextIn(words: readonly string[]): string | undefined {
  const index = words.indexOf('--context');
  return index < 0 ? undefined : words[index + 1];
}
