// hostyard context list: never the keys.
import type { Command } from 'commander';
import { readContexts } from '../../contexts.ts';
import { showFor } from '../../session.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command: Command, shell) =>
  command.action(async () => {
    const { contexts, current } = await readContexts(shell);
    const rows = Object.entries(contexts).map(([name, context]) => ({
      name,
      current: name === current ? 'yes' : '',
      url: context.url,
      roles: [
        ...(context.key === undefined ? [] : ['customer']),
        ...(context.operatorKey === undefined ? [] : ['operator']),
      ],
    }));
    await showFor(command, shell).rows(rows, ['name', 'current', 'url', 'roles']);
  });
