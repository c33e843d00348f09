// What switches reported last about themselves and all their ports.
import { Type, type Static } from 'typebox';
import { dayMs } from '#lib/time.ts';
import { putRow, selectWhere } from '../engine/rows.ts';
import { jsonColumn, type DeepReadonly } from '../json-column.ts';
import type { Queries } from '../store.ts';
import type { SwitchReportTable } from './tables.ts';

const SwitchSummary = Type.Object({
  description: Type.String(),
  upSeconds: Type.Number(),
  ports: Type.Number(),
  portsUp: Type.Number(),
  /** Ports whose counters of errors or discards rose within a day before the report. */
  portsWithErrors: Type.Number(),
});
export type SwitchSummary = Static<typeof SwitchSummary>;
export const switchSummary = jsonColumn('switch_reports.summary', SwitchSummary);

const count = Type.Optional(Type.Number());
/** Absent members are unknown. */
const ReportedPort = Type.Object({
  index: Type.Number(),
  name: Type.String(),
  alias: Type.String(),
  admin: Type.Enum(['up', 'down']),
  oper: Type.Enum(['up', 'down', 'unknown']),
  /** Bits per second; 0 if unknown. */
  speed: Type.Number(),
  /** Counters exceed the range of JSON numbers, so they are stored as text. */
  octets: Type.Optional(Type.Object({ in: Type.String(), out: Type.String() })),
  inErrors: count,
  outErrors: count,
  inDiscards: count,
  outDiscards: count,
  /** Averages since the previous report: bits per second, and errors and discards per minute. */
  inRate: count,
  outRate: count,
  errorRate: count,
  discardRate: count,
  /** When a counter of errors or discards last rose. */
  errorAt: count,
  neighbour: Type.Optional(
    Type.Object({ system: Type.String(), port: Type.String(), macs: Type.Array(Type.String()) }),
  ),
});
export type ReportedPort = DeepReadonly<Static<typeof ReportedPort>>;
const reportedPorts = jsonColumn('switch_reports.ports', Type.Array(ReportedPort));

/** Returns true if a counter of errors or discards rose within the last day. */
export function hasRecentErrors({ errorAt }: Pick<ReportedPort, 'errorAt'>, now: number): boolean {
  return errorAt !== undefined && errorAt > now - dayMs;
}

export interface SwitchReport {
  readonly readAt: number;
  readonly summary: SwitchSummary;
  readonly ports: readonly ReportedPort[];
}

export async function switchReportFind(queries: Queries, name: string): Promise<SwitchReport | undefined> {
  const row = await selectWhere(queries, 'switch_reports', { switch: name }).selectAll().executeTakeFirst();
  return (
    row && { readAt: row.read_at, summary: switchSummary.decode(row.summary), ports: reportedPorts.decode(row.ports) }
  );
}

export async function switchReportPut(
  queries: Queries,
  name: string,
  { readAt, summary, ports }: SwitchReport,
): Promise<void> {
  const row: SwitchReportTable = {
    switch: name,
    read_at: readAt,
    summary: switchSummary.encode(summary),
    ports: reportedPorts.encode(ports),
  };
  await putRow(queries, 'switch_reports', ['switch'], row);
}

/** Returns the switches after this one, by name, with the summaries of their reports. */
export async function switchPage(queries: Queries, after: string, limit: number) {
  return switchesWithSummary(queries).where('switches.name', '>', after).orderBy('name').limit(limit).execute();
}

export async function switchWithSummary(queries: Queries, name: string) {
  return switchesWithSummary(queries).where('switches.name', '=', name).executeTakeFirst();
}

function switchesWithSummary(queries: Queries) {
  return queries
    .selectFrom('switches')
    .leftJoin('switch_reports', 'switch_reports.switch', 'switches.name')
    .select(['name', 'driver', 'last_poll_at', 'next_poll_at', 'poll_error', 'error_text', 'read_at', 'summary'])
    .where('removed_at', 'is', null);
}
export type SwitchWithSummary = Awaited<ReturnType<typeof switchPage>>[number];

/** Returns the ports of a switch that the site file lists, with the customers who have them. */
export async function portOwners(queries: Queries, name: string) {
  return queries
    .selectFrom('ports')
    .leftJoin('services', 'services.id', 'ports.service_id')
    .select(['ports.id', 'ports.if_index', 'ports.current_index', 'ports.problem', 'ports.cabled_to', 'ports.key'])
    .select(['ports.server', 'ports.service_id', 'services.server as service_server', 'services.account_id'])
    .select('services.hostname')
    .where('ports.switch', '=', name)
    .orderBy('ports.if_index')
    .execute();
}
export type PortOwner = Awaited<ReturnType<typeof portOwners>>[number];
