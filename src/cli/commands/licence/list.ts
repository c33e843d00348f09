// hostyard licence list: what a service has, and what it can have.
import { tableText } from '../../output/table.ts';
import { harmless } from '../../output/text.ts';
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, legacy, show }, _options, name: string) => {
    const service = await serviceId(client, name);
    const [installed, { available }] = await Promise.all([
      client.deviceLicenceList({ service }),
      legacy().then((older) => older.softwareList({ service })),
    ]);
    await show.drawn({ installed, available }, () => {
      const licences = tableText(installed, ['license', 'status', 'since', 'until', 'price', 'key'], show);
      return `${licences}\nCan be ordered:\n${available.map((each) => `  ${harmless(each)}\n`).join('')}`;
    });
  });
