// Runs Chromium inside its network namespace, where this proxy is all that it reaches. Playwright talks to Chromium
// through descriptors 3 and 4.
import { execFileSync, spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

const [socket, chromium, ...args] = process.argv.slice(2);
execFileSync('ip', ['link', 'set', 'lo', 'up']);
createServer((client) => {
  const proxy = connect(socket!);
  for (const [end, other] of [
    [client, proxy],
    [proxy, client],
  ] as const) {
    end.on('error', () => other.destroy());
    end.on('close', () => other.destroy());
    end.pipe(other);
  }
}).listen(1080, '127.0.0.1', () => {
  const browser = spawn(chromium!, args, { stdio: ['inherit', 'inherit', 'inherit', 3, 4] });
  browser.on('exit', (code) => process.exit(code ?? 1));
});
