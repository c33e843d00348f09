// hostyard network nullroute list.
import { onCall } from '../../command.ts';
import { CommandError } from '../../exit-codes.ts';
import { serverPlace } from '../../named.ts';
import { momentText } from '../../output/amounts.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, legacy, show }, _options, name: string) => {
    const routes = await (await legacy()).nullrouteSet({ server: await serverPlace(client, name) });
    if (typeof routes === 'string') throw new CommandError(routes);
    await show.rows(routes, [
      ['address', (route) => route.ip],
      ['began', (route) => momentText(route.start)],
      ['ends', (route) => (route.end === '0' ? '' : momentText(route.end))],
      ['status', (route) => (route.active === '1' ? 'active' : 'over')],
      'reason',
    ]);
  });
