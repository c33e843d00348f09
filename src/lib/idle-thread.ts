// Lets work wait for time that nothing else wants.
import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Gives the calling thread, and the processes that it starts, the policy SCHED_IDLE. The kernel considers a core that runs only such
 * work as free, so that waking threads interrupt it at once; they wait for a thread that is merely "nice".
 */
export function runWhenIdle(): void {
  const threadId = basename(readlinkSync('/proc/thread-self'));
  execFileSync('chrt', ['--idle', '--pid', '0', threadId]);
}
