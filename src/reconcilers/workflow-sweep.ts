// Enqueues a job for every running workflow that has lost its own, as after restoring backups of different times or an
// operator's cleanup, so that no workflow stays unfinished.
import { pauseWork } from '#lib/slices.ts';
import type { JobKind, Queue } from '#queue/queue.ts';
import { workflowLoad, workflowsRunning } from '#store/work/workflows.ts';
import type { Reconciler, ReconcilerParts } from './reconciler.ts';

const pageSize = 500;

/** `job` is the kind of job that workflows run as, keyed by their id. */
export function workflowSweep(
  { store, queue, log }: Pick<ReconcilerParts, 'store' | 'log'> & { readonly queue: Queue },
  job: JobKind<{ id: string }>,
): Reconciler {
  /**
   * A job's end is committed together with the workflow's end or its next job. So a workflow that had no job and has not
   * ended when loaded afterwards has lost it.
   */
  const isUnfinished = async (id: string): Promise<boolean> =>
    (await workflowLoad(store.queries, id))?.ended_at === null;

  return {
    name: 'workflow-sweep',
    everySeconds: 60,
    deadlineSeconds: 120,
    async run(signal) {
      let page: string[] = [];
      do {
        page = await workflowsRunning(store.queries, page.at(-1) ?? '', pageSize);
        const withJob = await queue.keysAlive(job, page);
        for (const id of page) {
          if (withJob.has(id) || !(await isUnfinished(id))) continue;
          log.warn({ workflow: id }, 'a workflow had lost its job and continues');
          await store.transaction((queries) => queue.enqueue(queries, job, { id }));
        }
        await pauseWork('outside a transaction');
      } while (page.length === pageSize && !signal.aborted);
      return { backlog: 0 };
    },
  };
}
