// The kind of job that the killed instance and its survivor both know.
import type { JobKind } from '#queue/queue.ts';

export const killedKind: JobKind<{ number: number }> = {
  name: 'killed',
  deadlineSeconds: 600,
  retries: 1,
  // Longer than the test: the job of a dead instance does not wait like a failed one.
  firstRetrySeconds: 600,
  maxRetrySeconds: 600,
  concurrency: 1,
  key: () => 'one',
};
