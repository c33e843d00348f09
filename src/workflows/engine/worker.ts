// Runs the workflows that are due on this instance, and shares its places between accounts.
import { BoundedMap } from '#lib/bounded-map.ts';
import { createAccountShares } from '#queue/account-shares.ts';
import { jobWorker, type JobWorker } from '#queue/queue.ts';
import type { AccountId } from '#store/account-id.ts';
import { isRequestedByCustomer, workflowLoad } from '#store/work/workflows.ts';
import { noBoundaries } from './boundaries.ts';
import { runWorkflow, workflowJob, type RunnerParts } from './runner.ts';

/**
 * Of what customers requested, at a time on one instance: a step can take minutes, and an account with many machines must leave
 * places to all others.
 */
const jobsPerAccount = 24;
const shareRetryMs = 1000;
/** Between those of an account that wait for a place: together they cost little, however many they are. */
const waitingApartMs = 10;
const maxAccounts = 1000;

export function workflowWorker<Deps>(parts: RunnerParts<Deps>): JobWorker {
  const shares = createAccountShares();
  const nextTries = new BoundedMap<AccountId, number>(maxAccounts);
  const delayMs = (account: AccountId): number => {
    const nowMs = performance.now();
    const tryAtMs = Math.max(nowMs + shareRetryMs, (nextTries.get(account) ?? 0) + waitingApartMs);
    nextTries.set(account, tryAtMs);
    return tryAtMs - nowMs;
  };
  return jobWorker(workflowJob, async (job) => {
    const { payload } = job;
    const record = await workflowLoad(parts.store.queries, payload.id);
    if (record === undefined) return;
    const isLimited = isRequestedByCustomer(record);
    using share = isLimited ? shares.enter(record.account_id, jobsPerAccount) : undefined;
    if (isLimited && share === undefined)
      return job.complete(async (queries) => {
        const runAt = parts.clock.now() + delayMs(record.account_id);
        await parts.queue.enqueue(queries, workflowJob, payload, { runAt });
      });
    // Awaited here: the share is left when this function is.
    return await runWorkflow(parts, job, noBoundaries);
  });
}
