// Runs test files with Node's test runner in the given order, which its command line would sort. The files of test/long
// come last, one at a time: each loads the machine and some change its network, so that others would fail beside them.
// Only those of the panel run two at a time, because a browser and its server leave a core idle.
// On a signal it ends the test processes and prints the interrupted tests.
//
//   node scripts/run-tests.ts CONCURRENCY TIMEOUT-MS FILE…
import { Readable } from 'node:stream';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { installationMs } from '../test/support/needs.ts';
import report, { isLongTest } from './reporter.ts';

const [concurrency, timeoutMs, ...files] = process.argv.slice(2);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

// A test times out before its file, so that the report names the test. Many files share a process.
const fileGraceMs = 480_000;
/** For a file that hangs, not for a slow one. */
const longFileMs = 60 * 60_000;
const limits = timeoutMs === '0' ? [] : ['--import=./test/support/deadline.ts', `--test-timeout=${timeoutMs}`];
const timeout = timeoutMs === '0' ? undefined : Number(timeoutMs) + fileGraceMs + installationMs;
const parts = [
  { files: files.filter((file) => !isLongTest(file)), concurrency: Number(concurrency), timeout },
  { files: files.filter(isLongPanelTest), concurrency: 2, timeout: longFileMs },
  { files: files.filter((file) => isLongTest(file) && !isLongPanelTest(file)), concurrency: 1, timeout: longFileMs },
].filter((part) => part.files.length > 0);

function isLongPanelTest(file: string): boolean {
  return file.startsWith('test/long/panel-');
}

async function* runParts(): AsyncGenerator<TestEvent> {
  for (const part of parts) {
    const events = run({
      ...part,
      execArgv: ['--import=./test/support/preload.ts', ...limits],
      signal: stopping.signal,
    });
    events.on('test:fail', () => void (process.exitCode = 1));
    const isLast = part === parts.at(-1);
    // Only the last summary is printed, because it lists the failures of all parts.
    for await (const event of events)
      if (isLast || event.type !== 'test:summary' || event.data.file !== undefined) yield event;
  }
}
Readable.from(runParts()).compose(report).pipe(process.stdout);
