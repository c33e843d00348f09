// The state of the whole fleet as last observed. It never queries the equipment, so that a page can refresh every few
// seconds while a rack is down.
import type { Static } from 'typebox';
import type { Fleet } from '#contract/operator/fleet.ts';
import { readSortable } from '#lib/address-ranges.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import { allDeviceHolds } from '#store/devices/device-holds.ts';
import { addressRequestsWaiting } from '#store/operator/doctor-facts.ts';
import { licencesPendingCount } from '#store/billing/licences.ts';
import { machineName, machineProblem } from '#store/devices/machines.ts';
import { lastBackupEntry, metaFind } from '#store/meta.ts';
import { portsWithProblem } from '#store/network/switches.ts';
import { nullroutesPending } from '#store/network/nullroutes.ts';
import { reclaimsOpen } from '#store/devices/reclaims.ts';
import { serversWithFaults } from '#store/devices/sensors.ts';
import { equipmentSummary, machinesMisplaced } from '#store/operator/operator-fleet.ts';
import type { ReconcilerRow } from '#store/work/reconcilers.ts';
import type { Queries } from '#store/store.ts';
import { publicationsWaiting } from '#store/dns/zone-publications.ts';
import { isLate, getWorkReport } from '../health/background-work.ts';
import { faultShape } from '../servers/sensors.ts';
import type { Context } from '../app.ts';

const maxPerKind = 100;
const kinds = ['server', 'switch', 'node'] as const;
type Fleet = Static<typeof Fleet>;

export async function fleetGet({ queries, app }: Context): Promise<Fleet> {
  const now = app.clock.now();
  const equipment = await Promise.all(
    kinds.map(async (kind) => ({ kind, ...(await equipmentSummary(queries, kind, maxPerKind)) })),
  );
  const { reconcilers, workflows } = await getWorkReport(app);
  const backup = await metaFind(queries, lastBackupEntry);
  const failed = [...(await app.queue.counts()).values()].reduce((sum, kindCounts) => sum + kindCounts.failed, 0);
  return {
    equipment: equipment.map(({ kind, total, silent }) => ({
      kind,
      total: String(total),
      silent: String(silent),
    })),
    silent: equipment.flatMap(({ kind, examples }) =>
      examples.map(({ name, error, seen_at }) => ({ kind, name, error: error!, seen: optionalTimeText(seen_at) })),
    ),
    drift: [
      ...(await machineDrift(queries)),
      ...(await nullrouteDrift(queries)),
      ...(app.nameService.external === undefined ? [] : await zoneDrift(queries, now)),
      ...(await portDrift(queries)),
    ],
    held: (await allDeviceHolds(queries)).map(({ since, ...hold }) => ({ ...hold, since: timeText(since) })),
    quarantined: await quarantinedServers(queries),
    faults: await brokenParts(queries),
    reconcilers: reconcilers.map((row) => reconcilerShape(row, now)),
    workflows: workflows.map(({ status, count }) => ({ status, count: String(count) })),
    failedjobs: String(failed),
    addressrequests: String(await addressRequestsWaiting(queries)),
    licenceorders: String(await licencesPendingCount(queries)),
    backup: backup === undefined ? '' : timeText(Number(backup)),
  };
}

async function quarantinedServers(queries: Queries): Promise<Fleet['quarantined']> {
  return (await reclaimsOpen(queries, '', maxPerKind)).flatMap(({ server, step, reason, started_at }) =>
    step === null ? [] : [{ server, step, reason, since: timeText(started_at) }],
  );
}

async function brokenParts(queries: Queries): Promise<Fleet['faults']> {
  return (await serversWithFaults(queries, maxPerKind))
    .flatMap(({ server, faults }) => faults.map((fault) => ({ server, ...faultShape(fault) })))
    .slice(0, maxPerKind);
}

function reconcilerShape(row: ReconcilerRow, now: number): Fleet['reconcilers'][number] {
  const state = row.last_error !== null ? 'failed' : isLate(row, now) ? 'late' : 'well';
  return {
    name: row.name,
    state,
    error: row.last_error ?? '',
    succeeded: optionalTimeText(row.last_success_at),
    backlog: String(row.backlog),
  };
}

async function machineDrift(queries: Queries): Promise<Fleet['drift']> {
  return (await machinesMisplaced(queries, maxPerKind)).map(({ vmid, state, wanted_node, node, ...why }) => ({
    kind: 'machine',
    name: machineName(vmid),
    wanted: wanted_node === null ? 'on any node' : `on node ${wanted_node}`,
    seen: state === 'ready' ? `on node ${node}` : ['not created yet', machineProblem(why)].filter(Boolean).join(': '),
  }));
}

async function nullrouteDrift(queries: Queries): Promise<Fleet['drift']> {
  return (await nullroutesPending(queries, maxPerKind)).map(({ address, removed_at }) => ({
    kind: 'null-route',
    name: readSortable(address),
    wanted: removed_at === null ? 'announced' : 'withdrawn',
    seen: removed_at === null ? 'not announced yet' : 'still announced',
  }));
}

async function zoneDrift(queries: Queries, now: number): Promise<Fleet['drift']> {
  return (await publicationsWaiting(queries, now, maxPerKind)).map((name) => ({
    kind: 'zone',
    name,
    wanted: 'current version published',
    seen: 'name server may still have an older version',
  }));
}

async function portDrift(queries: Queries): Promise<Fleet['drift']> {
  return (await portsWithProblem(queries, maxPerKind)).map((port) => ({
    kind: 'port',
    name: `${port.switch} ${port.if_index}`,
    wanted: port.server === null ? `port of service ${port.service_id}` : `port of server ${port.server}`,
    seen: port.problem === null ? `cable leads to server ${port.cabled_to}` : portProblemTexts[port.problem],
  }));
}

const portProblemTexts = {
  missing: 'no port has its name',
  ambiguous: 'several ports have its name',
  taken: 'another port of the site file has its name',
};
