// hostyard account session: whose key this is, and what it may do.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }) => show.fields(await client.sessionGet()));
