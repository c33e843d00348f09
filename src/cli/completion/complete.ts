// Shell completion. Commands and options come from the command tree; services, zones and contexts are looked up. Errors
// are swallowed: a completion that fails offers nothing.
import type { Argument, Command, Option } from 'commander';
import type { Shell } from '../shell.ts';
import { loadCommand } from '../command-tree.ts';
import type { Candidate } from './dynamic-names.ts';

/** Returns completions for the last of the words after the program's name, which may be empty. */
export async function findCandidates(program: Command, shell: Shell, words: readonly string[]): Promise<Candidate[]> {
  const prefix = words.at(-1) ?? '';
  const place = await findPlace(program, shell, words.slice(0, -1));
  const matches = await candidatesAt(place, prefix, shell, contextIn(words));
  return matches.filter(({ word }) => word.startsWith(prefix)).sort((a, b) => (a.word < b.word ? -1 : 1));
}

interface Place {
  readonly command: Command;
  /** The option whose value is being completed. */
  readonly option: Option | undefined;
  readonly argument: Argument | undefined;
  readonly isFirst: boolean;
}

async function findPlace(program: Command, shell: Shell, precedingWords: readonly string[]): Promise<Place> {
  let command = program;
  let option: Option | undefined;
  let position = 0;
  for (const word of precedingWords) {
    if (option !== undefined) option = undefined;
    else if (word.startsWith('-')) option = word.includes('=') ? undefined : optionWithValue(command, word);
    else {
      const child = position === 0 ? command.commands.find((candidate) => candidate.name() === word) : undefined;
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

async function candidatesAt(
  { command, option, argument, isFirst }: Place,
  prefix: string,
  shell: Shell,
  context: string | undefined,
): Promise<Candidate[]> {
  if (option !== undefined)
    return (
      option.argChoices?.map((word) => ({ word, about: '' })) ??
      dynamicCandidates(option.attributeName(), shell, context)
    );
  if (prefix.startsWith('-'))
    return optionsOf(command).map(({ long, short, description }) => ({ word: long ?? short!, about: description }));
  if (isFirst && command.commands.length > 0)
    return command
      .createHelp()
      .visibleCommands(command)
      .map((child) => ({ word: child.name(), about: child.description() }));
  return argument === undefined ? [] : dynamicCandidates(argument.name(), shell, context);
}

async function dynamicCandidates(name: string, shell: Shell, context: string | undefined): Promise<Candidate[]> {
  const { dynamicNames } = await import('./dynamic-names.ts');
  try {
    return await dynamicNames(name, shell, context);
  } catch {
    return [];
  }
}

function optionsOf(command: Command): Option[] {
  const commandOptions = command.createHelp().visibleOptions(command);
  return command.parent === null
    ? commandOptions
    : [
        ...commandOptions,
        ...optionsOf(rootOf(command)).filter(({ long }) => long !== '--version' && long !== '--help'),
      ];
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function optionWithValue(command: Command, word: string): Option | undefined {
  const option = optionsOf(command).find(({ long, short }) => long === word || short === word);
  return option !== undefined && (option.required || option.optional) ? option : undefined;
}

function contextIn(words: readonly string[]): string | undefined {
  const index = words.indexOf('--context');
  return index < 0 ? undefined : words[index + 1];
}
