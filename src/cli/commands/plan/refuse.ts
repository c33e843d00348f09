// hostyard plan refuse: it is not done, also where it was approved before.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _, id: string) => {
    await client.planDecide({ id, decision: 'refuse' });
    await show.word('The plan is refused.');
  });
