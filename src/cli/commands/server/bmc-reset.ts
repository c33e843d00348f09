// hostyard server bmc reset: restarts the controller; the server itself runs on.
import { onCall } from '../../command.ts';
import { serverPlace } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, legacy, show }, _options, name: string) =>
    show.word(await (await legacy()).ipmiControllerReset({ server: await serverPlace(client, name) })),
  );
