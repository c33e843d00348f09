// Planned maintenance: a draft, announced to the customers whose services it affects, then changed, cancelled or
// completed. A job determines who is affected, because it may be every customer.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { maintenanceOperator } from '#contract/operator/maintenance.ts';
import type { Maintenance as CustomerShape, OperatorMaintenance } from '#contract/shapes/maintenance.ts';
import { conflict, invalid, requireFound } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { dayMs, timeText } from '#lib/time.ts';
import * as store from '#store/operator/maintenances.ts';
import type { Queries } from '#store/store.ts';
import type { Context } from '../app.ts';
import { isServiceVisible } from '../services/limits.ts';
import { pageLength } from './accounts.ts';
import { maintenanceJob } from './maintenance-notification.ts';

const keptMs = 30 * dayMs;
const kinds = ['nodes', 'switches', 'racks', 'servers'] as const;

type Targets = ReturnType<(typeof store.maintenanceTargets)['decode']>;
type CreateInput = InputOf<typeof maintenanceOperator.maintenanceCreate>;
type UpdateInput = InputOf<typeof maintenanceOperator.maintenanceUpdate>;

export async function maintenanceList(
  { queries }: Context,
  { status, before, limit = pageLength }: InputOf<typeof maintenanceOperator.maintenanceList>,
): Promise<Static<typeof OperatorMaintenance>[]> {
  const rows = await store.maintenanceList(queries, { status, before, limit });
  const ids = rows.map(({ id }) => id);
  const counts = new Map((await store.affectedCounts(queries, ids)).map((row) => [row.maintenance_id, row]));
  return rows.map((row) => ({
    ...commonShape(row),
    status: row.status,
    ...store.maintenanceTargets.decode(row.targets),
    operator: row.operator,
    accounts: String(counts.get(row.id)?.accounts ?? 0),
    services: String(counts.get(row.id)?.services ?? 0),
    created: timeText(row.created_at),
    updated: timeText(row.updated_at),
  }));
}

export async function maintenanceCreate({ queries, app, caller }: Context, input: CreateInput): Promise<string> {
  const now = app.clock.now();
  const { start, end } = input;
  const targets = await readTargets(queries, input);
  const times = readTimes(start * 1000, end * 1000);
  const id = await store.maintenanceInsert(queries, {
    title: input.title.normalize('NFC'),
    text: input.text.normalize('NFC'),
    ...times,
    status: 'Draft',
    targets: store.maintenanceTargets.encode(targets),
    operator: caller.operator!.name,
    revision: 1,
    created_at: now,
    updated_at: now,
  });
  return String(id);
}

export async function maintenanceUpdate(context: Context, input: UpdateInput): Promise<void> {
  const { queries } = context;
  const maintenance = await getMaintenance(queries, input.id);
  if (maintenance.status === 'Cancelled' || maintenance.status === 'Completed')
    throw conflict('This maintenance is over and can no longer be changed.');
  const current = store.maintenanceTargets.decode(maintenance.targets);
  const targets = await readTargets(queries, { ...current, ...pickDefined(input) });
  if (maintenance.status === 'Announced') requireTargets(targets);
  const { title, text, start, end } = input;
  await change(context, maintenance, {
    ...pickDefined({ title: title?.normalize('NFC'), text: text?.normalize('NFC') }),
    ...readTimes(
      start === undefined ? maintenance.start_at : start * 1000,
      end === undefined ? maintenance.end_at : end * 1000,
    ),
    targets: store.maintenanceTargets.encode(targets),
  });
}

export async function maintenanceAnnounce(context: Context, id: number): Promise<void> {
  const maintenance = await getMaintenance(context.queries, id);
  if (maintenance.status !== 'Draft') throw conflict('Only a draft can be announced.');
  requireTargets(store.maintenanceTargets.decode(maintenance.targets));
  if (maintenance.end_at <= context.app.clock.now())
    throw conflict('This maintenance would already be over. Change its times first.');
  await change(context, maintenance, { status: 'Announced' });
}

export async function maintenanceCancel(context: Context, id: number): Promise<void> {
  const maintenance = await getMaintenance(context.queries, id);
  if (maintenance.status !== 'Draft' && maintenance.status !== 'Announced')
    throw conflict('This maintenance is already over.');
  await change(context, maintenance, { status: 'Cancelled' });
}

export async function maintenanceComplete(context: Context, id: number): Promise<void> {
  const maintenance = await getMaintenance(context.queries, id);
  if (maintenance.status !== 'Announced') throw conflict('Only announced maintenance can be completed.');
  await change(context, maintenance, { status: 'Completed' });
}

/** For customers: only what affects their own services. */
export async function maintenanceGet({ queries, app, caller }: Context): Promise<Static<typeof CustomerShape>[]> {
  const all = await store.maintenancesOf(queries, caller.account, app.clock.now() - keptMs);
  const rows = all.filter(({ service }) => isServiceVisible(caller.services, service));
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((own) => ({
    ...commonShape(own[0]!),
    // A draft has no services.
    status: own[0]!.status as Static<typeof CustomerShape>['status'],
    services: own.map(({ service, hostname }) => ({ service: String(service), hostname })),
  }));
}

async function change(
  { queries, app }: Context,
  maintenance: store.Maintenance,
  values: Parameters<typeof store.maintenanceUpdate>[2],
): Promise<void> {
  if (!(await store.maintenanceUpdate(queries, maintenance, { ...values, updated_at: app.clock.now() })))
    throw conflict('Someone else has just changed this maintenance. Load it again.');
  const isKnownToCustomers = maintenance.status === 'Announced' || values.status === 'Announced';
  if (!isKnownToCustomers) return;
  const work = { maintenance: maintenance.id, revision: maintenance.revision + 1, after: 0 };
  await app.queue.enqueue(queries, maintenanceJob, work);
}

async function getMaintenance(queries: Queries, id: number): Promise<store.Maintenance> {
  return requireFound(await store.maintenanceFind(queries, id), 'Maintenance not found.');
}

function readTimes(start_at: number, end_at: number) {
  if (end_at <= start_at) throw invalid({ end: 'must be after the start' });
  return { start_at, end_at };
}

async function readTargets(
  queries: Queries,
  { all = false, nodes = [], switches = [], racks = [], servers = [] }: Partial<Targets>,
): Promise<Targets> {
  const targets = { all, nodes, switches, racks, servers };
  const reasons: Record<string, string> = {};
  for (const kind of kinds) {
    const unknown = await store.unknownNames(queries, kind, targets[kind]);
    if (unknown.length > 0) reasons[kind] = `must be known equipment, unlike ${unknown.join(', ')}`;
  }
  if (Object.keys(reasons).length > 0) throw invalid(reasons);
  return targets;
}

/** A draft may leave open what it affects. */
function requireTargets(targets: Targets): void {
  if (!targets.all && kinds.every((kind) => targets[kind].length === 0))
    throw conflict('This maintenance does not name any equipment. Add the affected equipment first.');
}

function commonShape({ id, title, text, start_at, end_at }: store.Maintenance) {
  return { id: String(id), title, text, start: timeText(start_at), end: timeText(end_at) };
}
