// hostyard completion: the script for a shell.
import { completionScripts } from '../completion/scripts.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { Define } from '../table.ts';

export const define: Define = (command, shell) =>
  command.action((name: string) => {
    if (!Object.hasOwn(completionScripts, name))
      throw new CommandError(`There is none for ${name}: bash, zsh or fish.`, exitCodes.usage);
    shell.out.write(completionScripts[name as keyof typeof completionScripts]);
  });
