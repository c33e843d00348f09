// The help of every command, whole: checked in, so that a change to the command line is seen in review.
import type { Command } from 'commander';
import { buildProgram, type Section } from './program.ts';
import type { Shell } from './shell.ts';
import { loadCommand } from './table.ts';

export async function helpText(sections: readonly Section[], shell: Shell): Promise<string> {
  return (await helpsOf(buildProgram(sections, shell), shell)).join(`\n${'─'.repeat(100)}\n`);
}

async function helpsOf(command: Command, shell: Shell): Promise<string[]> {
  await loadCommand(command, shell);
  const beneath: string[] = [];
  for (const child of command.commands) beneath.push(...(await helpsOf(child, shell)));
  // The options of every command are told once, at the top.
  if (command.parent !== null) command.configureHelp({});
  return [command.helpInformation(), ...beneath];
}
