// The provider's staff: made, changed and ended by an owner. There is always an owner left who can sign in, once there was one.
import type { Static } from 'typebox';
import type { OperatorRole } from '#contract/roles.ts';
import type { NewOperator, Operator as Shape } from '#contract/shapes/operator.ts';
import { Fault } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import { randomPassword } from '#kernel/random.ts';
import { operatorSessionsEnd } from '#store/account/keys.ts';
import * as store from '#store/operator/operators.ts';
import type { Queries } from '#store/store.ts';
import { passwordHash } from '../account/passwords.ts';
import type { Context, Yard } from '../yard.ts';

const firstPasswordLength = 20;

export async function operatorList({ queries }: Context): Promise<Static<typeof Shape>[]> {
  return (await store.operatorList(queries)).map((operator) => ({
    id: String(operator.id),
    name: operator.name,
    role: operator.role,
    status: operator.status,
    secondfactor: operator.totp_since === null ? 'Missing' : 'Confirmed',
    created: momentText(operator.created_at),
  }));
}

export function operatorCreate(
  { yard, queries }: Context,
  { name, role }: { name: string; role: OperatorRole },
): Promise<Static<typeof NewOperator>> {
  return operatorMake(yard, queries, name, role);
}

/** Also for the first of an empty installation, on the machine itself. */
export async function operatorMake(
  { clock }: Pick<Yard, 'clock'>,
  queries: Queries,
  name: string,
  role: OperatorRole,
): Promise<Static<typeof NewOperator>> {
  const password = randomPassword(firstPasswordLength);
  const id = await store.operatorInsert(queries, {
    name: name.toLowerCase(),
    role,
    status: 'Active',
    password_hash: await passwordHash(password),
    totp_step: 0,
    created_at: clock.now(),
  });
  if (id === undefined) throw new Fault('already_exists', { message: 'An operator has, or had, this name.' });
  return { id: String(id), password };
}

export interface OperatorChange {
  readonly role?: OperatorRole;
  readonly status?: 'Active';
  readonly newpassword?: boolean;
  readonly forgettotp?: boolean;
}

export async function operatorUpdate(
  context: Context,
  id: number,
  change: OperatorChange,
): Promise<Static<typeof NewOperator>> {
  const { queries, yard } = context;
  const operator = await found(queries, id);
  if (change.role !== undefined && change.role !== 'owner') await keepAnOwner(queries, operator);
  const password = change.newpassword === true ? randomPassword(firstPasswordLength) : '';
  const values = {
    ...(change.role === undefined ? {} : { role: change.role }),
    ...(change.status === undefined ? {} : { status: change.status }),
    ...(password === '' ? {} : { password_hash: await passwordHash(password) }),
    ...(change.forgettotp === true ? { totp_secret: null, totp_since: null } : {}),
  };
  if (Object.keys(values).length === 0)
    throw new Fault('invalid_parameter', { message: 'There is nothing to change.' });
  await store.operatorUpdate(queries, id, values);
  if (password !== '' || change.forgettotp === true)
    await operatorSessionsEnd(queries, id, yard.clock.now(), undefined);
  context.afterCommit(() => yard.authentication.forget());
  return { id: String(id), password };
}

export async function operatorDelete(context: Context, id: number): Promise<void> {
  const { queries, yard } = context;
  const operator = await found(queries, id);
  await keepAnOwner(queries, operator);
  await store.operatorUpdate(queries, id, { status: 'Ended' });
  await operatorSessionsEnd(queries, id, yard.clock.now(), undefined);
  context.afterCommit(() => yard.authentication.forget());
}

async function keepAnOwner(queries: Queries, { role, status }: store.Operator): Promise<void> {
  if (role !== 'owner' || status !== 'Active' || (await store.ownersCount(queries)) > 1) return;
  throw new Fault('state_conflict', { message: 'This is the last owner who can sign in.' });
}

async function found(queries: Queries, id: number): Promise<store.Operator> {
  const operator = await store.operatorFind(queries, id);
  if (operator === undefined) throw new Fault('not_found', { message: 'There is no such operator.' });
  return operator;
}
