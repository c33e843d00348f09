// The help of every command in one text, checked in so that changes to the command line show up in review.
import type { Command } from 'commander';
import { buildProgram, helpSettings, type Program } from './program.ts';
import type { Shell } from './shell.ts';
import { loadCommand } from './command-tree.ts';

export async function helpText(program: Program, shell: Shell): Promise<string> {
  return (await helpOf(buildProgram(program, shell), shell)).join(`\n${'─'.repeat(100)}\n`);
}

async function helpOf(command: Command, shell: Shell): Promise<string[]> {
  await loadCommand(command, shell);
  const children: string[] = [];
  for (const child of command.createHelp().visibleCommands(command)) children.push(...(await helpOf(child, shell)));
  // Only the root shows the global options.
  if (command.parent !== null) command.configureHelp(helpSettings);
  return [command.helpInformation(), ...children];
}
