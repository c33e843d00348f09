// hostyard contact delete.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { CommandError, exitCodes } from '../../exit-codes.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, id: string) => {
    const [contact] = await client.contactGet({ id });
    if (contact === undefined) throw new CommandError(`There is no contact ${id}.`, exitCodes.notFound);
    await confirmed(shell, `Remove the contact ${contact.firstname} ${contact.lastname} (${contact.email})?`, options);
    await client.contactDelete({ id });
    await show.word('The contact is removed.');
  });
};
