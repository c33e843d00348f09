// hostyard dns record delete: by the id that the list shows.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { recordIn } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, zone: string, id: string) => {
    const { domain, record } = await recordIn(client, zone, id);
    await confirmed(shell, `Delete ${record.name} ${record.type} ${record.content}?`, options);
    await show.word(await client.recordDelete({ domain, record: id }));
  });
};
