// hostyard context delete: forgets it, keys included.
import { readContexts, writeContexts } from '../../contexts.ts';
import { CommandError, exitCodes } from '../../exit-codes.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  command.action(async (name: string) => {
    const { contexts, current } = await readContexts(shell);
    if (!Object.hasOwn(contexts, name)) throw new CommandError(`There is no context ${name}.`, exitCodes.notFound);
    const { [name]: _gone, ...rest } = contexts;
    await writeContexts(shell, { contexts: rest, ...(current === undefined || current === name ? {} : { current }) });
  });
