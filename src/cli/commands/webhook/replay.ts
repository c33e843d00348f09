// hostyard webhook replay: sends a delivery once more.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, id: string) =>
    show.word((await client.deliveryReplay({ id })).id),
  );
