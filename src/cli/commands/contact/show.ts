// hostyard contact show.
import { onCall } from '../../command.ts';
import { CommandError, exitCodes } from '../../exit-codes.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, id: string) => {
    const [contact] = await client.contactGet({ id });
    if (contact === undefined) throw new CommandError(`There is no contact ${id}.`, exitCodes.notFound);
    await show.fields(contact);
  });
