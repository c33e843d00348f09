// Fills the compile cache for the first tests, which start at the same time and would all compile the same code: a process writes to
// the cache when it exits, and most servers of tests are killed. Run by scripts/test.ts during its checks.
import { openTestApp } from '#test/support/app.ts';
import { startServer } from '#test/support/server.ts';

await using server = await startServer();
await server.kill('SIGTERM');
await using _app = await openTestApp();
