// hostyard server show: one service.
import { onCall } from '../../command.ts';
import { deviceNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, service: string) =>
    show.fields(await deviceNamed(client, service)),
  );
