// hostyard context: the servers and keys that commands use. Keys are never printed.
import { localCommand } from '../command.ts';
import { readContexts, writeContexts, type Contexts } from '../contexts.ts';
import { notFound } from '../lookup.ts';
import type { Shell } from '../shell.ts';

export const commands = [
  localCommand({
    usage: 'list',
    summary: 'List contexts, without their keys',
    async run({ shell, print }) {
      const { contexts, current } = await readContexts(shell);
      const rows = Object.entries(contexts).map(([name, { url, key, operatorKey }]) => ({
        name,
        current: name === current ? 'yes' : '',
        url,
        roles: [...(key === undefined ? [] : ['customer']), ...(operatorKey === undefined ? [] : ['operator'])],
      }));
      await print.table(rows, ['name', 'current', 'url', 'roles']);
    },
  }),
  localCommand({
    usage: 'use <context>',
    summary: 'Make a context the current one',
    async run({ shell }, { context }) {
      const { contexts } = await readContextsWith(shell, context);
      await writeContexts(shell, { current: context, contexts });
    },
  }),
  localCommand({
    usage: 'delete <context>',
    summary: 'Delete a context and its keys',
    async run({ shell }, { context }) {
      const { contexts, current } = await readContextsWith(shell, context);
      const { [context]: _, ...rest } = contexts;
      await writeContexts(shell, {
        contexts: rest,
        ...(current === undefined || current === context ? {} : { current }),
      });
    },
  }),
];

async function readContextsWith(shell: Shell, name: string): Promise<Contexts> {
  const contexts = await readContexts(shell);
  if (!Object.hasOwn(contexts.contexts, name)) throw notFound('Context', name);
  return contexts;
}
