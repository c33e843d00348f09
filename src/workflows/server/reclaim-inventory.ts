// Compares the parts of a server that is reclaimed with those that were recorded before.
import { isDeepStrictEqual } from 'node:util';
import { readInventory } from '#equipment/inventory.ts';
import { serverFind, serverInventory, serverInventorySet } from '#store/devices/servers.ts';
import { bmcTimeout } from '../device-steps.ts';
import { done, failed, type StepResult } from '../engine/workflow.ts';
import { findingsOf, type Context, type ReclaimInput, type StepFinding } from './reclaim-steps.ts';

/** Each kernel reserves a little memory for itself; a module that is gone is far more than that. */
const memoryTolerance = 0.97;

/** The first reading is the record that later ones are compared with. */
export async function compareInventory(context: Context, input: ReclaimInput): Promise<StepResult<StepFinding>> {
  const { deps } = context;
  const { server } = input;
  const row = (await serverFind(deps.store.queries, server))!;
  const { erase } = await findingsOf(context, input);
  const { parts, firmware } = await readInventory(deps.bmcs, server, (waits) => bmcTimeout(context, waits));
  const current = { parts, firmware, memoryMb: erase?.memoryMb ?? null };
  const recorded = row.inventory === null ? current : serverInventory.decode(row.inventory);
  const changes = [
    ...changedKeys(recorded.parts, current.parts),
    ...changedKeys(recorded.firmware, current.firmware).map((component) => `${component} firmware`),
    ...((current.memoryMb ?? Infinity) < (recorded.memoryMb ?? 0) * memoryTolerance ? ['memory'] : []),
  ];
  if (changes.length > 0) return failed('reclaim_failed', `Different from the record: ${changes.join(', ')}.`);
  const record = { ...recorded, memoryMb: recorded.memoryMb ?? current.memoryMb };
  return done({ firmware: { ...firmware } }, (queries) => serverInventorySet(queries, server, record));
}

function changedKeys(
  recorded: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
): string[] {
  const keys = new Set([...Object.keys(recorded), ...Object.keys(current)]);
  return [...keys].filter((key) => !isDeepStrictEqual(recorded[key], current[key]));
}
