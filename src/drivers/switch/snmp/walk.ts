// Whole columns of a table in few requests. Agents differ: they answer with less than was asked, with an end of the view in
// the middle, or in circles. Every walk has a budget, and an answer that does not move forward ends it.
import * as snmp from 'net-snmp';
import type { Varbind } from 'net-snmp';
import { Fault } from '#kernel/fault.ts';
import { type BulkAnswer, type BulkRequest, type SnmpSession, TooBigError } from './session.ts';

/** So that an answer of counters fits into one Ethernet frame; fragments are lost more easily. */
const MOST_VARBINDS = 50;
/** 5,000 ports with two columns. */
const MOST_REQUESTS = 200;

export interface WalkResult {
  /** What each request answered for the scalars, in the order of time. */
  readonly scalars: readonly (readonly Varbind[])[];
  /** Of each column, ifIndex to value. */
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
  let mostVarbinds = MOST_VARBINDS;
  for (let requests = 1; ; requests++) {
    const active = columns.filter((column) => !column.isDone);
    if (active.length === 0) return { scalars, columns: columns.map(({ values }) => values) };
    if (requests > MOST_REQUESTS) throw wrong(`gave no end of a table in ${MOST_REQUESTS} requests`);
    const request = {
      scalars: scalarOids,
      columns: active.map(({ oid, cursor }) => (cursor === 0 ? oid : `${oid}.${cursor}`)),
      repetitions: Math.max(1, Math.floor(mostVarbinds / active.length)),
    };
    const answer = await getBulkOrLess(session, request, signal);
    if (answer === 'too big') {
      if (mostVarbinds <= active.length) throw wrong('cannot answer one row');
      mostVarbinds = Math.max(active.length, Math.floor(mostVarbinds / 2));
      continue;
    }
    scalars.push(answer.scalars);
    if (!answer.columns.some((varbinds) => varbinds.length > 0)) throw wrong('answered with nothing');
    for (const [position, varbinds] of answer.columns.entries()) take(active[position]!, varbinds);
  }
}

interface Column {
  readonly oid: string;
  cursor: number;
  isDone: boolean;
  readonly values: Map<number, Varbind>;
}

function take(column: Column, varbinds: readonly Varbind[]): void {
  for (const varbind of varbinds) {
    const index = indexIn(column.oid, varbind.oid);
    if (snmp.isVarbindError(varbind) || index === undefined) return void (column.isDone = true);
    if (index <= column.cursor) throw wrong('walks in circles');
    column.cursor = index;
    column.values.set(index, varbind);
  }
}

/** The row of an instance in this column; rows of the interface tables have one number. */
function indexIn(column: string, oid: string): number | undefined {
  if (!oid.startsWith(`${column}.`)) return undefined;
  const index = Number(oid.slice(column.length + 1));
  return Number.isSafeInteger(index) && index > 0 ? index : undefined;
}

async function getBulkOrLess(
  session: SnmpSession,
  request: BulkRequest,
  signal: AbortSignal,
): Promise<BulkAnswer | 'too big'> {
  try {
    return await session.getBulk(request, signal);
  } catch (error) {
    if (error instanceof TooBigError) return 'too big';
    throw error;
  }
}

function wrong(what: string): Fault {
  return new Fault('switch_error', { internal: `the agent ${what}` });
}
