// A workflow moves by its job. Where a job is gone without its workflow having ended, as in a database put together from
// backups of different moments or after an operator's clean-up, a new one is enqueued: nothing is left half done for good.
import type { JobKind, Jobs } from '#jobs/jobs.ts';
import type { Log } from '#kernel/log.ts';
import type { Store } from '#store/store.ts';
import { workflowLoad, workflowsUnderWay } from '#store/work/workflows.ts';
import type { Reconciler } from './reconciler.ts';

export interface WorkflowSweepParts {
  readonly store: Store;
  readonly jobs: Jobs;
  readonly log: Log;
}

const pageSize = 500;

/** `job` is the kind that workflows run as, keyed by their id. */
export function workflowSweep({ store, jobs, log }: WorkflowSweepParts, job: JobKind<{ id: string }>): Reconciler {
  /** Its end or its next job was committed together with the end of the last one: so one that has no job now and has not
   * ended after that look has lost it. */
  const lost = async (id: string): Promise<boolean> => (await workflowLoad(store.queries, id))?.ended_at === null;

  return {
    name: 'workflow-sweep',
    everySeconds: 60,
    deadlineSeconds: 120,
    async run(signal) {
      let page: string[] = [];
      do {
        page = await workflowsUnderWay(store.queries, page.at(-1) ?? '', pageSize);
        const carried = await jobs.keysAlive(job, page);
        for (const id of page) {
          if (carried.has(id) || !(await lost(id))) continue;
          log.warn({ workflow: id }, 'workflow had no job any more; it goes on');
          await store.transaction((queries) => jobs.enqueue(queries, job, { id }));
        }
      } while (page.length === pageSize && !signal.aborted);
      return { backlog: 0 };
    },
  };
}
