// Deletes attacks and null routes past their retention.
import type { Queries } from '../store.ts';

/** Deletes what ended before this time, with its records. Active null routes stay. Must run in a transaction. */
export async function attacksRemoveBefore(queries: Queries, before: number): Promise<void> {
  const old = queries.selectFrom('attacks').select('id').where('ended_at', '<', before);
  await queries.deleteFrom('nullroutes').where('withdrawn_at', '<', before).execute();
  await queries.updateTable('nullroutes').set({ attack_id: null }).where('attack_id', 'in', old).execute();
  await queries.deleteFrom('attack_logs').where('attack_id', 'in', old).execute();
  await queries.deleteFrom('attack_records').where('attack_id', 'in', old).execute();
  await queries.deleteFrom('attacks').where('ended_at', '<', before).execute();
}
