// The spec reporter of Node, with the skipped suites listed again before the summary, where people look first, and how
// long each file of test/long took. It extends the spec reporter in place: a stream around it would still buffer the
// summary when an interrupted runner exits.

import { relative } from 'node:path';
import { spec, type TestEvent } from 'node:test/reporters';

const report = new spec();
const printEvent = report._transform.bind(report);
const skipped: string[] = [];
const longTests: string[] = [];

export const isLongTest = (file: string): boolean => relative('', file).startsWith('test/long/');

report._transform = (event: TestEvent, encoding, done) => {
  if (event.type === 'test:pass' && typeof event.data.skip === 'string') {
    const { name, file = '', skip } = event.data;
    skipped.push(`ℹ ${name} (${relative('', file)}): ${skip}\n`);
  }
  if (event.type === 'test:summary' && event.data.file !== undefined && isLongTest(event.data.file)) {
    const { file, success, duration_ms } = event.data;
    longTests.push(`${success ? '✔' : '✖'} ${relative('', file)} (${Math.round(duration_ms / 1000)} s)\n`);
  }
  // The plan without a file is that of the whole run, right before the summary.
  if (event.type === 'test:plan' && event.data.file === undefined) report.push([...longTests, ...skipped].join(''));
  printEvent(event, encoding, done);
};

// The runner loads the default export of a reporter.
// oxlint-disable-next-line import/no-default-export
export default report;
