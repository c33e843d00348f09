// Loaded into every test process before its file: what makes it take less of the processor and changes nothing that it tests.
import asyncHooks from 'node:async_hooks';
import { importQuickly } from '#kernel/quick-imports.ts';

importQuickly();

// Node's runner follows every promise back to the test in which it was made, to name that test where something is thrown that
// nobody catches. A third of the time of a test that asks a database goes there. Without it such a file fails as well, and the
// error is told, but of the file; and a suite must say at once what is in it, not after an `await`.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
