// The thread of the built-in name server. The main thread of an install imports it too, only to compile it. Plain JavaScript, so that the
// thread has no types left to strip.
import { isMainThread } from 'node:worker_threads';
import { runNameServer } from './run-name-server.ts';

if (!isMainThread) void runNameServer();
