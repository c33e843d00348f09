// hostyard plan list: what waits for somebody to decide, and what was decided.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  command.option('--pending', 'only those that wait');
  onCall(command, shell, async ({ client, show }, options: { pending?: boolean }) => {
    const plans = await client.planGet();
    const wanted = options.pending === true ? plans.filter(({ status }) => status === 'Pending') : plans;
    await show.rows(wanted, ['id', 'status', 'operation', 'hits', 'expires', 'outcome']);
  });
};
