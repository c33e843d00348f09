// Loaded into every test process before its file. The runner's --test-timeout ends a test that hangs, but not a file whose tests
// are over while something is still open: that would wait for ever, and say nothing. This ends it and names what is open.

const deadlineMs = 480_000;

setTimeout(() => {
  const open = process.getActiveResourcesInfo().join(', ');
  console.error(`${process.argv[1]} did not end within ${deadlineMs / 1000} s; still open: ${open}`);
  process.exit(1);
}, deadlineMs).unref();
