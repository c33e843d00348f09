// hostyard plan: destructive operations that an assistant has proposed and a person decides on.
import type { Client, Plan } from '#sdk/v2.ts';
import { apiCommand, withYes, type YesOption } from '../command.ts';
import { notFound } from '../lookup.ts';
import { singleLine } from '../output/text.ts';
import { confirm } from '../prompt.ts';

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List plans, newest first',
    options: (command) => command.option('--pending', 'Only plans waiting for a decision'),
    async run({ client, print }, _, { pending }: { readonly pending?: boolean }) {
      const plans = (await client.planGet()).filter(({ status }) => pending !== true || status === 'Pending');
      await print.table(plans, ['id', 'status', 'operation', 'hits', 'expires', 'outcome']);
    },
  }),
  apiCommand({
    usage: 'show <id>',
    summary: 'Show a plan and everything it affects',
    run: async ({ client, print }, { id }) => print.fields(await findPlan(client, id)),
  }),
  apiCommand({
    usage: 'approve <id>',
    summary: 'Approve a pending plan',
    options: withYes,
    async run({ client, print, shell }, { id }, options: YesOption) {
      const { summary, operation, hits } = await findPlan(client, id);
      await confirm(shell, singleLine(`${summary} (${operation}): ${hits.join('; ')}. Approve?`), options);
      await client.planDecide({ id, decision: 'approve' });
      await print.text('Plan approved.');
    },
  }),
  apiCommand({
    usage: 'reject <id>',
    formerly: 'refuse',
    summary: 'Reject a plan, even an approved one',
    async run({ client, print }, { id }) {
      await client.planDecide({ id, decision: 'refuse' });
      await print.text('Plan rejected.');
    },
  }),
];

async function findPlan(client: Client, id: string): Promise<Plan> {
  const [plan] = await client.planGet({ id });
  if (plan === undefined) throw notFound('Plan', id);
  return plan;
}
