// The provider's nodes of virtual machines: how they are reached, and whether they answered when last looked at.
import type { Selectable } from 'kysely';
import type { Queries } from '../store.ts';

export interface NodeTable {
  name: string;
  driver: string;
  /** The driver's settings as JSON, sealed. */
  settings: string;
  /** Counts changes of the settings, so that an open connection knows that it is out of date. */
  revision: number;
  /** As JSON. */
  name_servers: string;
  next_look_at: number;
  /** When it last answered; null where it never did. */
  seen_at: number | null;
  /** What stood in the way of the last look, null where nothing did. */
  error: string | null;
  /** When it was taken out of the site file for good; null where it is there. */
  removed_at: number | null;
}
export type NodeRow = Selectable<NodeTable>;

export async function nodeFind(queries: Queries, name: string): Promise<NodeRow | undefined> {
  return queries.selectFrom('nodes').selectAll().where('name', '=', name).executeTakeFirst();
}

export async function nodeList(queries: Queries): Promise<NodeRow[]> {
  return queries.selectFrom('nodes').selectAll().where('removed_at', 'is', null).orderBy('name').execute();
}

export async function nodePut(
  queries: Queries,
  node: Pick<NodeRow, 'name' | 'driver' | 'settings' | 'name_servers'>,
): Promise<void> {
  const { name, ...changing } = node;
  await queries
    .insertInto('nodes')
    .values({ name, ...changing, revision: 0, next_look_at: 0, seen_at: null, error: null, removed_at: null })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((set) => ({
        ...changing,
        revision: set('nodes.revision', '+', 1),
        next_look_at: 0,
        removed_at: null,
      })),
    )
    .execute();
}

export async function nodesToLookAt(queries: Queries, now: number): Promise<NodeRow[]> {
  return queries
    .selectFrom('nodes')
    .selectAll()
    .where('removed_at', 'is', null)
    .where('next_look_at', '<=', now)
    .orderBy('next_look_at')
    .execute();
}

export async function nodeLooked(
  queries: Queries,
  name: string,
  look: Pick<NodeRow, 'next_look_at'> & Partial<Pick<NodeRow, 'seen_at' | 'error'>>,
): Promise<void> {
  await queries.updateTable('nodes').set(look).where('name', '=', name).execute();
}

/** Takes it out: no machine is put there any more, and its secrets are gone. */
export async function nodeRemove(queries: Queries, name: string, now: number, noSettings: string): Promise<void> {
  await queries
    .updateTable('nodes')
    .set((set) => ({ settings: noSettings, revision: set('revision', '+', 1), removed_at: now }))
    .where('name', '=', name)
    .execute();
}
