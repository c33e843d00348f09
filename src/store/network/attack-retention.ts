// Attacks and null-routes that have had their time.
import type { Queries } from '../store.ts';

/** In a transaction: what ended before that moment, with its records. A null-route that goes on is kept. */
export async function attacksRemoveBefore(queries: Queries, before: number): Promise<void> {
  const old = queries.selectFrom('attacks').select('id').where('ended_at', '<', before);
  await queries.deleteFrom('nullroutes').where('withdrawn_at', '<', before).execute();
  await queries.updateTable('nullroutes').set({ attack_id: null }).where('attack_id', 'in', old).execute();
  await queries.deleteFrom('attack_logs').where('attack_id', 'in', old).execute();
  await queries.deleteFrom('attack_records').where('attack_id', 'in', old).execute();
  await queries.deleteFrom('attacks').where('ended_at', '<', before).execute();
}
