// hostyard action show.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, id: string) => show.fields(await client.actionGet({ id })));
