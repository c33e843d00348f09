// hostyard licence cancel: at the end of the period.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { deviceNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(
    command,
    shell,
    async ({ client, legacy, show }, options: { yes?: boolean }, name: string, license: string) => {
      const { service, hostname, type } = await deviceNamed(client, name);
      await confirmed(shell, `Cancel ${license} of ${hostname} (service ${service})?`, options);
      const kind = type === 'dedicated' ? 'Dedicated' : 'VPS';
      await show.word(await (await legacy()).softwareCancel({ service, type: kind, license }));
    },
  );
};
