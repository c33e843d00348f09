// Switches for operators: the poller's last report, with the servers and customers at the ports.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { NetworkSwitch, SwitchPort, switchOperator } from '#contract/operator/switch.ts';
import { requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import { hasRecentErrors, portOwners, switchPage, switchReportFind } from '#store/network/switch-reports.ts';
import { switchSummary, switchWithSummary } from '#store/network/switch-reports.ts';
import type { PortOwner, ReportedPort, SwitchWithSummary } from '#store/network/switch-reports.ts';
import type { Queries } from '#store/store.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';
import { equipmentCondition, numberText, positionsOf } from './equipment-shapes.ts';

type Port = Static<typeof SwitchPort>;

export async function switchList(
  { app, queries }: Context,
  { limit = pageLength, after = '' }: InputOf<typeof switchOperator.switchList>,
): Promise<Static<typeof NetworkSwitch>[]> {
  return describeSwitches(queries, await switchPage(queries, after, limit), app.clock.now());
}

export async function switchGet({ app, queries }: Context, name: string): Promise<Static<typeof NetworkSwitch>> {
  const row = requireFound(await switchWithSummary(queries, name), 'Switch not found.');
  return (await describeSwitches(queries, [row], app.clock.now()))[0]!;
}

async function describeSwitches(
  queries: Queries,
  rows: readonly SwitchWithSummary[],
  now: number,
): Promise<Static<typeof NetworkSwitch>[]> {
  const names = rows.map(({ name }) => name);
  const positions = await positionsOf(queries, 'switch', names);
  return rows.map((row) => {
    const summary = row.summary === null ? undefined : switchSummary.decode(row.summary);
    const { poll_error: error, last_poll_at: seenAt, next_poll_at: nextAt } = row;
    return {
      name: row.name,
      driver: row.driver,
      description: summary?.description ?? '',
      ...equipmentCondition({ ...row, error, seenAt, nextAt }, now),
      started: summary === undefined ? '' : timeText(row.read_at! - summary.upSeconds * 1000),
      ports: numberText(summary?.ports),
      portsup: numberText(summary?.portsUp),
      portswitherrors: numberText(summary?.portsWithErrors),
      read: optionalTimeText(row.read_at),
      ...positions(row.name),
    };
  });
}

export async function portList(
  { app, queries }: Context,
  { switch: name, search = '', errors = false, limit = pageLength, after = 0 }: InputOf<typeof switchOperator.portList>,
): Promise<Port[]> {
  requireFound(await switchWithSummary(queries, name), 'Switch not found.');
  const reported = (await switchReportFind(queries, name))?.ports ?? [];
  const owners = await portOwners(queries, name);
  const byIndex = new Map(owners.flatMap((owner) => (owner.problem === null ? [[indexOf(owner), owner]] : [])));
  // A switch has at most a few hundred ports, so that they are searched here.
  const ports = [
    ...reported
      .filter((port) => !errors || hasRecentErrors(port, app.clock.now()))
      .map((port) => ({ ...reportShape(port), ...ownerShape(byIndex.get(port.index)) })),
    ...(errors ? [] : unreportedPorts(owners, reported)),
  ];
  const words = search.toLowerCase();
  return ports
    .filter((port) => Number(port.index) > after && isMatch(port, words))
    .toSorted((left, right) => Number(left.index) - Number(right.index))
    .slice(0, limit);
}

function indexOf({ current_index, if_index }: PortOwner): number {
  return current_index ?? if_index;
}

/** Returns the ports of the site file that the switch did not report, or that cannot be identified. */
function unreportedPorts(owners: readonly PortOwner[], reported: readonly ReportedPort[]): Port[] {
  const indexes = new Set(reported.map(({ index }) => index));
  return owners
    .filter((owner) => owner.problem !== null || !indexes.has(indexOf(owner)))
    .filter(({ server, service_id }) => server !== null || service_id !== null)
    .map((owner) => ({ ...reportShape({ index: indexOf(owner), name: owner.key ?? '' }), ...ownerShape(owner) }));
}

/** Missing values are unknown. */
function reportShape(port: Pick<ReportedPort, 'index' | 'name'> & Partial<ReportedPort>) {
  const { neighbour } = port;
  return {
    index: String(port.index),
    name: port.name,
    alias: port.alias ?? '',
    admin: port.admin ?? ('' as const),
    oper: port.oper ?? ('' as const),
    speed: numberText(port.speed || undefined),
    in: numberText(port.inRate),
    out: numberText(port.outRate),
    inerrors: numberText(port.inErrors),
    outerrors: numberText(port.outErrors),
    indiscards: numberText(port.inDiscards),
    outdiscards: numberText(port.outDiscards),
    errorrate: port.errorRate?.toFixed(2) ?? '',
    discardrate: port.discardRate?.toFixed(2) ?? '',
    erred: port.errorAt === undefined ? '' : timeText(port.errorAt),
    neighbour: neighbour?.system ?? '',
    neighbourport: neighbour?.port ?? '',
    neighbourmac: neighbour?.macs[0] ?? '',
  };
}

function ownerShape(owner: PortOwner | undefined) {
  return {
    server: owner?.server ?? owner?.service_server ?? '',
    service: numberText(owner?.service_id ?? undefined),
    account: numberText(owner?.account_id ?? undefined),
    hostname: owner?.hostname ?? '',
    problem: owner?.problem ?? (owner?.cabled_to == null ? ('' as const) : ('miscabled' as const)),
  };
}

function isMatch(port: Port, words: string): boolean {
  const { index, name, alias, neighbour, neighbourmac, server, service, account, hostname } = port;
  return [index, name, alias, neighbour, neighbourmac, server, service, account, hostname].some((value) =>
    value.toLowerCase().includes(words),
  );
}
