// Reads whole table columns in few requests. Agents vary: they return less than requested, end of the view in the
// middle, or loop. Every walk is bounded, and a response that makes no progress ends it.
import * as snmp from 'net-snmp';
import type { Varbind } from 'net-snmp';
import { ApiError } from '#lib/api-error.ts';
import { type BulkResponse, type BulkRequest, type SnmpSession, TooBigError } from './session.ts';

/** So that a response with counters fits in one Ethernet frame; fragments are lost more easily. */
const maxVarbinds = 50;
/** Enough for 5,000 ports with two columns. */
const maxRequests = 200;

export interface WalkResult {
  /** The scalars of each response, in order. */
  readonly scalars: readonly (readonly Varbind[])[];
  /** Values by ifIndex, for each column. */
  readonly columns: readonly ReadonlyMap<number, Varbind>[];
}

export async function walk(
  session: SnmpSession,
  table: { readonly scalars?: readonly string[]; readonly columns: readonly string[] },
  signal: AbortSignal,
): Promise<WalkResult> {
  const { scalars: scalarOids = [] } = table;
  const scalars: (readonly Varbind[])[] = [];
  const columns = table.columns.map((oid) => ({ oid, cursor: 0, isDone: false, values: new Map<number, Varbind>() }));
  let varbindLimit = maxVarbinds;
  for (let requests = 1; ; requests++) {
    const active = columns.filter((column) => !column.isDone);
    if (active.length === 0) return { scalars, columns: columns.map(({ values }) => values) };
    if (requests > maxRequests) throw agentError(`sent no end of a table within ${maxRequests} requests`);
    const request = {
      scalars: scalarOids,
      columns: active.map(({ oid, cursor }) => (cursor === 0 ? oid : `${oid}.${cursor}`)),
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
    for (const [position, varbinds] of response.columns.entries()) addVarbinds(active[position]!, varbinds);
  }
}

interface Column {
  readonly oid: string;
  cursor: number;
  isDone: boolean;
  readonly values: Map<number, Varbind>;
}

function addVarbinds(column: Column, varbinds: readonly Varbind[]): void {
  for (const varbind of varbinds) {
    const index = parseIndex(column.oid, varbind.oid);
    if (snmp.isVarbindError(varbind) || index === undefined) return void (column.isDone = true);
    if (index <= column.cursor) throw agentError('sent rows in a loop');
    column.cursor = index;
    column.values.set(index, varbind);
  }
}

/** Returns the row index; rows of the interface tables have a single number. */
function parseIndex(column: string, oid: string): number | undefined {
  if (!oid.startsWith(`${column}.`)) return undefined;
  const index = Number(oid.slice(column.length + 1));
  return Number.isSafeInteger(index) && index > 0 ? index : undefined;
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
