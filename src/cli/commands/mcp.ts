// hostyard mcp: the services as tools of an assistant, over standard input and output.
import { onCall } from '../command.ts';
import { serveMcp } from '../mcp/server.ts';
import type { Define } from '../table.ts';

export const define: Define = (command, shell) => {
  command.option('--allow-changes', 'let it change what can be brought back, and plan what cannot');
  onCall(command, shell, ({ client }, options: { allowChanges?: boolean }) =>
    serveMcp(shell, client, {
      allowed: options.allowChanges === true ? 'changes' : 'reading',
      version: command.parent?.version() ?? '',
    }),
  );
};
