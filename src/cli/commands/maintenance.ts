// hostyard maintenance: announced maintenance that affects services of the account.
import { apiHandler } from '../command.ts';
import type { Session } from '../session.ts';

export const showMaintenance = apiHandler({
  async run({ client, print }: Session) {
    const maintenances = await client.maintenanceGet();
    const rows = maintenances.map(({ services, ...maintenance }) => ({
      ...maintenance,
      servers: services.map(({ hostname }) => hostname).join(', '),
    }));
    await print.table(rows, ['id', 'status', 'start', 'end', 'title', 'servers']);
  },
});
