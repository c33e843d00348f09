// hostyard plan approve: agrees to what an assistant wants to do, having read what it hits.
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { oneLine } from '../../output/text.ts';
import { planOf } from '../../plans.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, id: string) => {
    const { summary, operation, hits } = await planOf(client, id);
    const question = `${summary} (${operation}): ${hits.join('; ')}. Approve it?`;
    await confirmed(shell, oneLine(question), options);
    await client.planDecide({ id, decision: 'approve' });
    await show.word('The plan is approved.');
  });
};
