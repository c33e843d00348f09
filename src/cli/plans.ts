// One plan by its id, for the commands on plans.
import type { Client, Plan } from '#sdk/v2.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

export async function planOf(client: Client, id: string): Promise<Plan> {
  const [plan] = await client.planGet({ id });
  if (plan === undefined) throw new CommandError(`There is no plan ${id}.`, exitCodes.notFound);
  return plan;
}
