// Groups of an account's machines that are never on the same hypervisor. The rule is strict: a machine that would have to share one
// is not created, because whoever asks for separation relies on it.
import type { Static } from 'typebox';
import { maxMachineGroups, type MachineGroup } from '#contract/shapes/machine.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/devices/machine-groups.ts';
import type { Context } from '../app.ts';
import { isServiceVisible } from '../services/limits.ts';

type Shape = Static<typeof MachineGroup>;

export async function machineGroupList({ queries, caller }: Context): Promise<Shape[]> {
  const members = await store.membersByGroup(queries, caller.account);
  return (await store.machineGroupList(queries, caller.account)).map((group) =>
    groupShape(
      group,
      (members.get(group.id) ?? []).filter((service) => isServiceVisible(caller.services, service)),
    ),
  );
}

export async function machineGroupCreate(context: Context, name: string): Promise<Shape> {
  const { queries, caller, app } = context;
  // Two calls at once must not both take the last place of the account.
  await billingAccountLock(queries, caller.account);
  if ((await store.machineGroupCount(queries, caller.account)) >= maxMachineGroups)
    throw conflict(`The account has ${maxMachineGroups} groups. Delete one first.`);
  const row = { account_id: caller.account, name, created_at: app.clock.now() };
  const added = await store.machineGroupInsert(queries, row);
  if (added === undefined)
    throw new ApiError('already_exists', {
      message: 'The account already has a group with this name. Choose another name.',
    });
  context.emit('machinegroup.created', { groupid: String(added.id), name });
  return groupShape(added, []);
}

export async function machineGroupDelete(context: Context, id: number): Promise<void> {
  const { queries, caller } = context;
  requireFound((await store.machineGroupLock(queries, caller.account, id)) || undefined);
  const members = (await store.membersByGroup(queries, caller.account)).get(id) ?? [];
  if (members.length > 0)
    throw conflict('The group still has machines. Deleted machines count until they are removed for good.');
  await store.machineGroupRemove(queries, caller.account, id);
  context.emit('machinegroup.deleted', { groupid: String(id) });
}

function groupShape({ id, name, created_at }: store.MachineGroup, members: readonly number[]): Shape {
  return { id: String(id), name, machines: members.map(String), created: timeText(created_at) };
}
