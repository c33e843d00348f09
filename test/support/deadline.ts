// Preloaded into every test process. --test-timeout ends a test that hangs, but not a process that stays open after its
// tests: this ends it and names what is still open.
import { installationMs } from './needs.ts';

const deadlineMs = 900_000 + installationMs;

setTimeout(() => {
  const open = process.getActiveResourcesInfo().join(', ');
  console.error(`${process.argv[1]} did not end within ${deadlineMs / 1000} s; still open: ${open}`);
  process.exit(1);
}, deadlineMs).unref();
