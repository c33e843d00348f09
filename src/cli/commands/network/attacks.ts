// hostyard network attacks: anomalies in the traffic of a service, or of all of them, newest first.
import type { AnomalyEvent } from '#sdk/v2.ts';
import { momentText } from '../../output/amounts.ts';
import { tableText, type Column } from '../../output/table.ts';
import { onCall } from '../../command.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  command.option('--limit <number>', 'at most so many', '100');
  onCall(command, shell, async ({ client, show }, options: { limit: string }, name?: string) => {
    const limit = Number(options.limit);
    const events =
      name === undefined
        ? await client.anomalyList({ limit })
        : await client.eventList({ service: await serviceId(client, name), limit });
    const newestFirst = Object.values(events).sort((one, other) => Number(other.anomaly_id) - Number(one.anomaly_id));
    await show.drawn(events, () => tableText(newestFirst, columns, show));
  });
};

const columns: readonly Column<AnomalyEvent>[] = [
  ['id', (event) => event.anomaly_id],
  ['address', (event) => event.target_ip],
  ['began', (event) => momentText(event.start)],
  ['ended', (event) => (event.active === '1' ? 'active' : momentText(event.end))],
  ['null-routed', (event) => (event.nullroute_start === null ? '' : momentText(event.nullroute_start))],
  ['rules', (event) => [...new Set(event.detail.result.map((attack) => attack.filters))].join(' ')],
];
