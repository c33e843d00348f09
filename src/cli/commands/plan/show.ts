// hostyard plan show: one plan, with all that it hits.
import { onCall } from '../../command.ts';
import { planOf } from '../../plans.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _, id: string) => show.fields(await planOf(client, id)));
