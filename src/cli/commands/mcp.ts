// hostyard mcp: serves the customer's services to an assistant as MCP tools, over standard input and output.
import { apiHandler } from '../command.ts';
import { serveMcp } from '../mcp/server.ts';
import type { Session } from '../session.ts';

export const serveAssistant = apiHandler({
  options: (command) =>
    command.option('--allow-changes', 'Allow changes that can be undone, and plans for those that cannot'),
  run: ({ client, command, shell }: Session, _: unknown, options: { readonly allowChanges?: boolean }) =>
    serveMcp(shell, client, {
      allowed: options.allowChanges === true ? 'changes' : 'reading',
      version: command.parent?.version() ?? '',
    }),
});
