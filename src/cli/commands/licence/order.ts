// hostyard licence order: makes an invoice at once, so it is asked about.
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
      await confirmed(shell, `Order ${license} for ${hostname} (service ${service})? It is invoiced at once.`, options);
      const kind = type === 'dedicated' ? 'Dedicated' : 'VPS';
      await show.fields(await (await legacy()).softwareOrder({ service, type: kind, license }));
    },
  );
};
