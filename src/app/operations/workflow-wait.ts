// Waits for workflows on behalf of an API caller, woken by a feed of commits.
import type { ErrorCode } from '#contract/errors.ts';
import { createFeed, waitForChange, type Feed } from '#store/feed.ts';
import { ApiError } from '#lib/api-error.ts';
import { workflowLoad, workflowRevisions } from '#store/work/workflows.ts';
import type { App } from '../app.ts';

const usualWaitMs = 25_000;
/** Proxies in front of the API wait for a minute. */
const longestWaitMs = 55_000;
/** Short enough for the response to be sent before the process exits. */
const longestWaitWhileStoppingMs = 5000;

export function openWorkflowFeed(parts: Pick<App, 'store' | 'log'>): Feed<string> {
  return createFeed(parts, workflowRevisions);
}

/**
 * Returns when the workflow has completed. Throws as soon as it fails: the rollback continues without the caller. `moreMs`
 * is for a device that is slower than most.
 */
export async function waitForWorkflow(
  app: App,
  id: string,
  late: Extract<ErrorCode, 'bmc_unreachable' | 'node_unreachable'>,
  moreMs = 0,
): Promise<void> {
  using stopDelay = delayedSignal(app.stopping, longestWaitWhileStoppingMs);
  const end = AbortSignal.any([AbortSignal.timeout(Math.min(usualWaitMs + moreMs, longestWaitMs)), stopDelay.signal]);
  const isCompleted = await waitForChange(app.workflowFeed, [id], end, async () => {
    const record = await workflowLoad(app.store.queries, id);
    if (record?.direction === 'back')
      throw new ApiError((record.error_code ?? 'internal_error') as ErrorCode, { message: record.error_reason ?? '' });
    return record?.status === 'Completed' ? true : undefined;
  });
  if (isCompleted !== true)
    throw new ApiError(late, { message: 'This is taking longer than usual and continues. Follow it in your actions.' });
}

function delayedSignal(source: AbortSignal, delayMs: number): Disposable & { readonly signal: AbortSignal } {
  const delayed = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => void (timer = setTimeout(() => delayed.abort(), delayMs));
  if (source.aborted) start();
  else source.addEventListener('abort', start, { once: true });
  return {
    signal: delayed.signal,
    [Symbol.dispose]() {
      source.removeEventListener('abort', start);
      clearTimeout(timer);
    },
  };
}
