// Waiting for a workflow on behalf of a caller who wants the end of it in his answer.
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorCode } from '#contract/errors.ts';
import { Fault } from '#kernel/fault.ts';
import { workflowLoad } from '#store/work/workflows.ts';
import type { Yard } from './yard.ts';

const lookAgainMs = 50;
const longestMs = 25_000;

/** Returns when it is done. A Fault as soon as it is known that it will not be: undoing goes on without the caller. */
export async function workflowEnd(
  yard: Yard,
  id: string,
  late: Extract<ErrorCode, 'bmc_unreachable' | 'node_unreachable'>,
): Promise<void> {
  const until = performance.now() + longestMs;
  while (performance.now() < until) {
    const record = await workflowLoad(yard.store.queries, id);
    if (record?.status === 'Completed') return;
    if (record?.direction === 'back') {
      throw new Fault((record.error_code ?? 'internal_error') as ErrorCode, { message: record.error_reason ?? '' });
    }
    await pause(lookAgainMs);
  }
  throw new Fault(late, { message: 'It takes longer than usual and goes on; see the account’s actions.' });
}
