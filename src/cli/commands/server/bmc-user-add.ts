// hostyard server bmc user-add: a user of the controller; its password is shown this once.
import { onCall } from '../../command.ts';
import { serverPlace } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, legacy, show }, _options, name: string, username: string) => {
    const server = await serverPlace(client, name);
    const made = await (await legacy()).ipmiUserSet({ server, username, action: 'createUser' });
    await (typeof made === 'string' ? show.word(made) : show.fields(made));
  });
