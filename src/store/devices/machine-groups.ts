// Groups of an account's machines that are placed on different hypervisors.
import type { Insertable, Selectable } from 'kysely';
import { affectsRows, countRows, deleteWhere, insertNew, selectWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { MachineGroupTable } from './machine-order-tables.ts';
import type { Machine } from './machines.ts';

export type MachineGroup = Selectable<MachineGroupTable>;

export async function machineGroupList(queries: Queries, account: AccountId): Promise<MachineGroup[]> {
  return selectWhere(queries, 'machine_groups', { account_id: account }).selectAll().orderBy('id').execute();
}

/** Locks the group on PostgreSQL, so that it is not deleted while it gets a member. Returns false if it does not exist. */
export async function machineGroupLock(queries: Queries, account: AccountId, id: number): Promise<boolean> {
  return affectsRows(
    queries
      .updateTable('machine_groups')
      .set((set) => ({ name: set.ref('name') }))
      .where('account_id', '=', account)
      .where('id', '=', id)
      .returning('id'),
  );
}

export async function machineGroupCount(queries: Queries, account: AccountId): Promise<number> {
  return countRows(selectWhere(queries, 'machine_groups', { account_id: account }));
}

/** Returns undefined if the account has a group of this name already. */
export async function machineGroupInsert(
  queries: Queries,
  group: Insertable<MachineGroupTable>,
): Promise<MachineGroup | undefined> {
  return insertNew(queries, 'machine_groups', group, ['account_id', 'name']).returningAll().executeTakeFirst();
}

export async function machineGroupRemove(queries: Queries, account: AccountId, id: number): Promise<void> {
  await deleteWhere(queries, 'machine_groups', { account_id: account, id }).execute();
}

/**
 * Returns the hypervisors that other machines of a machine's group are on or moving to: it must be placed on none of them.
 */
export async function nodesOfGroup(
  queries: Queries,
  { service_id, group_id }: Pick<Machine, 'service_id' | 'group_id'>,
): Promise<ReadonlySet<string>> {
  if (group_id === null) return new Set();
  const others = selectWhere(queries, 'machines', { group_id }).where('machines.service_id', '!=', service_id);
  const placed = await others.select('machines.node').where('machines.node', 'is not', null).execute();
  const moving = await others
    .innerJoin('machine_copies', 'machine_copies.service_id', 'machines.service_id')
    .select('machine_copies.node')
    .where('machine_copies.is_obsolete', '=', 0)
    .execute();
  return new Set([...placed, ...moving].map(({ node }) => node!));
}

export async function membersByGroup(queries: Queries, account: AccountId): Promise<Map<number, number[]>> {
  const rows = await selectWhere(queries, 'machines', { account_id: account })
    .select(['service_id', 'group_id'])
    .where('group_id', 'is not', null)
    .orderBy('service_id')
    .execute();
  const groups = Map.groupBy(rows, ({ group_id }) => group_id!);
  return new Map([...groups].map(([group, members]) => [group, members.map(({ service_id }) => service_id)]));
}
