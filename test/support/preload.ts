// Preloaded into every test process to save CPU time, without affecting what is tested.
import asyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';
import type * as Argon2 from '@node-rs/argon2';
import { importQuickly } from '#lib/performance/quick-imports.ts';

importQuickly();

// Node's runner tracks every promise back to the test that created it, to attribute uncaught errors. In tests that
// query a database that takes a third of the time. Without it such a file still fails, but the error is attributed to
// the file, and a suite must declare its tests synchronously, not after an `await`.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });

// Passwords are hashed slowly on purpose: one takes longer than most requests. The lowest cost makes verifying cheap too.
// Replaced before anything imports it, because an import copies the exports.
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof Argon2;
const { hash } = argon2;
argon2.hash = (password) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
