// Runs test files with Node's test runner in the given order, which its command line would sort. On a signal it ends
// the test processes and prints the interrupted tests.
//
//   node scripts/run-tests.ts CONCURRENCY TIMEOUT-MS FILE…
import { run } from 'node:test';
import report from './reporter.ts';

const [concurrency, timeoutMs, ...files] = process.argv.slice(2);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

// A test times out before its file, so that the report names the test.
const fileGraceMs = 60_000;
const limits = timeoutMs === '0' ? [] : ['--import=./test/support/deadline.ts', `--test-timeout=${timeoutMs}`];
const events = run({
  files,
  concurrency: Number(concurrency),
  execArgv: ['--import=./test/support/preload.ts', ...limits],
  signal: stopping.signal,
  ...(timeoutMs === '0' ? {} : { timeout: Number(timeoutMs) + fileGraceMs }),
});
events.on('test:fail', () => void (process.exitCode = 1));
events.compose(report).pipe(process.stdout);
