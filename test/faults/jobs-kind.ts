// The kind of job that the killed node and its survivor both know.
import type { JobKind } from '#jobs/jobs.ts';

export const killedKind: JobKind<{ number: number }> = {
  name: 'killed',
  deadlineSeconds: 600,
  retries: 1,
  // Longer than the test may take: the job of a dead node does not wait as a failed one does.
  firstRetrySeconds: 600,
  longestRetrySeconds: 600,
  concurrency: 1,
  key: () => 'one',
};
