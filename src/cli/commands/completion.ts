// hostyard completion: prints the completion script of a shell.
import { localHandler } from '../command.ts';
import { completionScripts } from '../completion/scripts.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { Invocation } from '../session.ts';

export const printCompletion = localHandler({
  run({ shell }: Invocation, { shell: name }: { readonly shell: string }) {
    if (!Object.hasOwn(completionScripts, name))
      throw new CommandError(`Unknown shell ${name}: use bash, zsh or fish.`, exitCodes.usage);
    shell.out.write(completionScripts[name as keyof typeof completionScripts]);
  },
});
