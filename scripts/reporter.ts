// The runner's own spec report, with the suites that were left out named once more just before the summary, where somebody
// who only reads the end of a run will see them. It listens to what was really skipped, so no list has to be kept.

import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';

// The runner loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(withLeftOut(events)).compose(new spec());
}

async function* withLeftOut(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const leftOut: string[] = [];
  for await (const event of events) {
    if (event.type === 'test:pass' && typeof event.data.skip === 'string') {
      const { name, file = '', skip } = event.data;
      leftOut.push(`${name} (${relative('', file)}): ${skip}`);
    }
    // The plan of the whole run, which belongs to no file, comes directly before the summary.
    if (event.type === 'test:plan' && event.data.file === undefined) {
      for (const message of leftOut) yield { type: 'test:diagnostic', data: { nesting: 0, message, level: 'warn' } };
    }
    yield event;
  }
}
