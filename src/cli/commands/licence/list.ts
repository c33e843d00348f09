// hostyard licence list: what a service has, and what it can have.
import { tableText } from '../../output/table.ts';
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, name: string) => {
    const service = await serviceId(client, name);
    const [installed, available] = await Promise.all([
      client.deviceLicenceList({ service }),
      client.deviceLicenceOfferList({ service }),
    ]);
    await show.drawn({ installed, available }, () => {
      const licences = tableText(installed, ['license', 'status', 'since', 'until', 'price', 'key'], show);
      return `${licences}\nCan be ordered:\n${tableText(available, ['license', 'price'], show)}`;
    });
  });
