// hostyard contact list.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }) =>
    show.rows(await client.contactGet(), ['id', 'firstname', 'lastname', 'email', 'phonenumber', 'status']),
  );
