// Runs test files by Node's own runner, in the order in which they are given: its command line would sort them. Told to stop, it
// ends its test processes and prints what was interrupted.
//
//   node scripts/run-tests.ts CONCURRENCY TIMEOUT-MS FILE…
import { run } from 'node:test';
import report from './reporter.ts';

const [concurrency, timeoutMs, ...files] = process.argv.slice(2);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

// A test ends before its file does, so that it is the one that is named, with what it waited for.
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
