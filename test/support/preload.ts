// Preloaded into every test process to save CPU time, without affecting what is tested.
import asyncHooks from 'node:async_hooks';
import { importQuickly } from '#lib/performance/quick-imports.ts';

importQuickly();

// Node's runner tracks every promise back to the test that created it, to attribute uncaught errors. In tests that
// query a database that takes a third of the time. Without it such a file still fails, but the error is attributed to
// the file, and a suite must declare its tests synchronously, not after an `await`.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
