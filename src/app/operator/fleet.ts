// The state of everything at a glance, from what was last seen: nothing is asked of the equipment for it, so that a page can look
// every few seconds while a rack is dead.
import type { Static } from 'typebox';
import type { Fleet } from '#contract/operator/fleet.ts';
import { readSortable } from '#kernel/address-ranges.ts';
import { momentText } from '#kernel/moments.ts';
import { allDeviceHolds } from '#store/devices/device-holds.ts';
import { addressRequestsWaiting } from '#store/operator/doctor-facts.ts';
import { licencesPending } from '#store/billing/licences.ts';
import { machineName } from '#store/devices/machines.ts';
import { lastBackupMeta, metaFind } from '#store/meta.ts';
import { nullroutesLive } from '#store/network/nullroutes.ts';
import { equipmentSeen, machinesAstray } from '#store/operator/operator-fleet.ts';
import type { ReconcilerRow } from '#store/work/reconcilers.ts';
import type { Queries } from '#store/store.ts';
import { publicationsWaiting } from '#store/dns/zone-publications.ts';
import { isLate, workReport } from '../work-report.ts';
import type { Context } from '../yard.ts';

const toldOfAKind = 100;
const kinds = ['server', 'switch', 'node'] as const;
type Fleet = Static<typeof Fleet>;

export async function fleetGet({ queries, yard }: Context): Promise<Fleet> {
  const now = yard.clock.now();
  const seen = Map.groupBy(await equipmentSeen(queries), ({ kind }) => kind);
  const silent = kinds.map((kind) => ({
    kind,
    all: seen.get(kind) ?? [],
    without: (seen.get(kind) ?? []).filter(({ error }) => error !== null),
  }));
  const { reconcilers, workflows } = await workReport(yard);
  const backup = await metaFind(queries, lastBackupMeta);
  const failed = [...(await yard.jobs.counts()).values()].reduce((sum, each) => sum + each.failed, 0);
  return {
    equipment: silent.map(({ kind, all, without }) => ({
      kind,
      total: String(all.length),
      silent: String(without.length),
    })),
    silent: silent.flatMap(({ kind, without }) =>
      without
        .slice(0, toldOfAKind)
        .map(({ name, error, seen_at }) => ({ kind, name, error: error!, seen: moment(seen_at) })),
    ),
    drift: [...(await machineDrift(queries)), ...(await nullrouteDrift(queries)), ...(await zoneDrift(queries, now))],
    held: (await allDeviceHolds(queries)).map(({ since, ...hold }) => ({ ...hold, since: momentText(since) })),
    reconcilers: reconcilers.map((row) => reconcilerShown(row, now)),
    workflows: workflows.map(({ status, count }) => ({ status, count: String(count) })),
    failedjobs: String(failed),
    addressrequests: String(await addressRequestsWaiting(queries)),
    licenceorders: String((await licencesPending(queries)).length),
    backup: backup === undefined ? '' : momentText(Number(backup)),
  };
}

function moment(at: number | null): string {
  return at === null ? '' : momentText(at);
}

function reconcilerShown(row: ReconcilerRow, now: number): Fleet['reconcilers'][number] {
  const state = row.last_error !== null ? 'failed' : isLate(row, now) ? 'late' : 'well';
  return {
    name: row.name,
    state,
    error: row.last_error ?? '',
    succeeded: moment(row.last_success_at),
    backlog: String(row.backlog),
  };
}

async function machineDrift(queries: Queries): Promise<Fleet['drift']> {
  return (await machinesAstray(queries)).slice(0, toldOfAKind).map(({ vmid, state, reason, wanted_node, node }) => ({
    kind: 'machine',
    name: machineName(vmid),
    wanted: wanted_node === null ? 'on a node' : `on node ${wanted_node}`,
    seen: state === 'ready' ? `on node ${node}` : reason === '' ? 'not made yet' : `not made yet: ${reason}`,
  }));
}

async function nullrouteDrift(queries: Queries): Promise<Fleet['drift']> {
  return (await nullroutesLive(queries))
    .filter(({ removed_at, announced_at }) => removed_at !== null || announced_at === null)
    .slice(0, toldOfAKind)
    .map(({ address, removed_at }) => ({
      kind: 'null-route',
      name: readSortable(address),
      wanted: removed_at === null ? 'announced' : 'withdrawn',
      seen: removed_at === null ? 'not on the router yet' : 'still on the router',
    }));
}

async function zoneDrift(queries: Queries, now: number): Promise<Fleet['drift']> {
  return (await publicationsWaiting(queries, now, toldOfAKind)).map((name) => ({
    kind: 'zone',
    name,
    wanted: 'published as it stands here',
    seen: 'the name server may show an older one',
  }));
}
