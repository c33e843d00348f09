// hostyard dns record delete: by the id that the list shows.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { CommandError, exitCodes } from '../../exit-codes.ts';
import { zoneNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, zone: string, id: string) => {
    const { domain_id: domain, name } = await zoneNamed(client, zone);
    const record = (await client.recordList({ domain })).find((each) => each.id === id);
    if (record === undefined) throw new CommandError(`There is no record ${id} in ${name}.`, exitCodes.notFound);
    await confirmed(shell, `Delete ${record.name} ${record.type} ${record.content}?`, options);
    await show.word(await client.recordDelete({ domain, record: id }));
  });
};
