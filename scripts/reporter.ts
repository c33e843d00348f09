// The runner's own spec report, with the suites that were left out named once more just before the summary, where somebody
// who only reads the end of a run will see them. It listens to what was really skipped, so no list has to be kept. It adds to
// the spec reporter in place: a stream around it would still hold the summary when an interrupted runner exits.

import { relative } from 'node:path';
import { spec, type TestEvent } from 'node:test/reporters';

const report = new spec();
const printEvent = report._transform.bind(report);
const leftOut: string[] = [];

report._transform = (event: TestEvent, encoding, done) => {
  if (event.type === 'test:pass' && typeof event.data.skip === 'string') {
    const { name, file = '', skip } = event.data;
    leftOut.push(`ℹ ${name} (${relative('', file)}): ${skip}\n`);
  }
  // The plan of the whole run, which belongs to no file, comes directly before the summary.
  if (event.type === 'test:plan' && event.data.file === undefined) report.push(leftOut.join(''));
  printEvent(event, encoding, done);
};

// The runner loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default report;
