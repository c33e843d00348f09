// Reads whole table columns in few requests. Agents vary: they return less than requested, end of the view in the
// middle, or loop. Every walk is bounded, and a response that makes no progress ends it.
import * as snmp from 'net-snmp';
import type { Varbind } from 'net-snmp';
import { ApiError } from '#lib/api-error.ts';
import { type BulkResponse, type BulkRequest, type SnmpSession, TooBigError } from '../../snmp/session.ts';

/** So that a response with counters fits in one Ethernet frame; fragments are lost more easily. Three responses have 48 ports. */
export const maxVarbinds = 54;
/** Enough for 5,000 ports with two columns. */
const maxRequests = 200;

export interface WalkResult {
  /** The scalars of each response, in order. */
  readonly scalars: readonly (readonly Varbind[])[];
  /** Values by the index of their row, such as an ifIndex, for each column. */
  readonly columns: readonly ReadonlyMap<string, Varbind>[];
  /** Rows whose values are from different responses, so that they may be of different ports. */
  readonly split: ReadonlySet<string>;
}

export async function walk(
  session: SnmpSession,
  table: { readonly scalars?: readonly string[]; readonly columns: readonly string[] },
  signal: AbortSignal,
): Promise<WalkResult> {
  const { scalars: scalarOids = [] } = table;
  const scalars: (readonly Varbind[])[] = [];
  const columns = table.columns.map((oid) => ({ oid, cursor: '', isDone: false, values: new Map<string, Varbind>() }));
  const split = new Set<string>();
  const arrivals = new Map<string, number>();
  let varbindLimit = maxVarbinds;
  for (let requests = 1; ; requests++) {
    const active = columns.filter((column) => !column.isDone);
    if (active.length === 0) return { scalars, columns: columns.map(({ values }) => values), split };
    if (requests > maxRequests) throw agentError(`sent no end of a table within ${maxRequests} requests`);
    const request = {
      scalars: scalarOids,
      columns: active.map(({ oid, cursor }) => (cursor === '' ? oid : `${oid}.${cursor}`)),
      repetitions: Math.max(1, Math.floor(varbindLimit / active.length)),
    };
    const response = await tryGetBulk(session, request, signal);
    if (response === 'too big') {
      if (varbindLimit <= active.length) throw agentError('cannot send a single row');
      varbindLimit = Math.max(active.length, Math.floor(varbindLimit / 2));
      continue;
    }
    scalars.push(response.scalars);
    if (!response.columns.some((varbinds) => varbinds.length > 0)) throw agentError('sent an empty response');
    for (const [position, varbinds] of response.columns.entries())
      for (const index of addVarbinds(active[position]!, varbinds)) {
        if ((arrivals.get(index) ?? requests) !== requests) split.add(index);
        arrivals.set(index, requests);
      }
  }
}

interface Column {
  readonly oid: string;
  cursor: string;
  isDone: boolean;
  readonly values: Map<string, Varbind>;
}

/** Yields the rows of the added values. */
function* addVarbinds(column: Column, varbinds: readonly Varbind[]): Iterable<string> {
  for (const varbind of varbinds) {
    const index = parseIndex(column.oid, varbind.oid);
    if (snmp.isVarbindError(varbind) || index === undefined) return void (column.isDone = true);
    if (compareIndexes(index, column.cursor) <= 0) throw agentError('sent rows in a loop');
    column.cursor = index;
    column.values.set(index, varbind);
    yield index;
  }
}

function parseIndex(column: string, oid: string): string | undefined {
  return oid.startsWith(`${column}.`) ? oid.slice(column.length + 1) : undefined;
}

/** Returns a positive number if the left index comes after the right one in a walk. */
function compareIndexes(left: string, right: string): number {
  const [leftParts, rightParts] = [left, right].map((index) => (index === '' ? [] : index.split('.').map(Number)));
  for (const [position, part] of leftParts!.entries()) {
    const other = rightParts![position] ?? -1;
    if (part !== other) return part - other;
  }
  return leftParts!.length - rightParts!.length;
}

async function tryGetBulk(
  session: SnmpSession,
  request: BulkRequest,
  signal: AbortSignal,
): Promise<BulkResponse | 'too big'> {
  try {
    return await session.getBulk(request, signal);
  } catch (error) {
    if (error instanceof TooBigError) return 'too big';
    throw error;
  }
}

function agentError(what: string): ApiError {
  return new ApiError('switch_error', { internal: `the agent ${what}` });
}
