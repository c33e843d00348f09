// hostyard context use: the context of every call that names none.
import { readContexts, writeContexts } from '../../contexts.ts';
import { CommandError, exitCodes } from '../../exit-codes.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  command.action(async (name: string) => {
    const { contexts } = await readContexts(shell);
    if (!Object.hasOwn(contexts, name)) throw new CommandError(`There is no context ${name}.`, exitCodes.notFound);
    await writeContexts(shell, { current: name, contexts });
  });
