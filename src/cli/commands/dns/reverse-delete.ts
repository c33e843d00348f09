// hostyard dns reverse delete.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, ip: string) => {
    await confirmed(shell, `Remove the reverse name of ${ip}?`, options);
    await show.word(await client.reverseDelete({ ip }));
  });
};
