// hostyard server bmc user-delete: removes a user of the controller.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { serverPlace } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(
    command,
    shell,
    async ({ client, legacy, show }, options: { yes?: boolean }, name: string, username: string) => {
      const server = await serverPlace(client, name);
      await confirmed(shell, `Remove the user ${username} of the controller of ${server}?`, options);
      await show.word(String(await (await legacy()).ipmiUserSet({ server, username, action: 'deleteUser' })));
    },
  );
};
