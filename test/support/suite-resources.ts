// The resources of a suite. Each is disposed of at the suite's end, the last one first.
//
//   const owned = suiteResources();
//   let app: TestApp;
//   before(async () => void (app = owned.use(await openTestApp())));

import { after } from 'node:test';

export function suiteResources(): AsyncDisposableStack {
  const owned = new AsyncDisposableStack();
  after(() => owned.disposeAsync());
  return owned;
}
