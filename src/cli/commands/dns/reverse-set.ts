// hostyard dns reverse set.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  command.option('--forward', 'also make the A or AAAA record of that name');
  onCall(command, shell, async ({ client, show }, options: { forward?: boolean }, ip: string, record: string) =>
    show.word(await client.reverseSet({ ip, record, ...(options.forward === true ? { forward: true } : {}) })),
  );
};
