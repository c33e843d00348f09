// The log as systemd's journal stores it: the real journald, in its own namespaces, reads the priority of each line.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { leaveOut, needsRoot } from '#test/support/needs.ts';
import { existsSync } from 'node:fs';

const root = join(import.meta.dirname, '..', '..');
const journald = '/lib/systemd/systemd-journald';
const suite = existsSync(journald) ? needsRoot('unshare', 'systemd-cat', 'journalctl') : leaveOut('needs journald');

/** Runs each command with the journal as its standard output and error, as systemd does, and prints what was stored. */
const script = `
mount -t tmpfs none /run/systemd && mkdir /run/systemd/journal && mkdir -p /run/log && mount -t tmpfs none /run/log
mkdir /run/log/journal
${journald} 2>&1 &
until [ -S /run/systemd/journal/stdout ]; do sleep 0.05; done
for command in "$@"; do
  systemd-cat -t hostyard sh -c 'JOURNAL_STREAM=$(stat -L -c %d:%i /proc/$$/fd/1) exec sh -c "$0"' "$command" || true
done
journalctl --sync
journalctl -D /run/log/journal -t hostyard -o json --output-fields=PRIORITY,MESSAGE
`;

interface Entry {
  readonly PRIORITY: string;
  readonly MESSAGE: string;
}

async function journalOf(...commands: string[]): Promise<Entry[]> {
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const options = { cwd: root, env: { ...process.env, node: process.execPath } };
  const ran = await promisify(execFile)('unshare', [...namespaces, 'sh', '-c', script, 'sh', ...commands], options);
  return ran.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Entry);
}

describe('the journal', suite, () => {
  test('has the priority of each line, and the line as other readers get it', async () => {
    const program = `
      const { createLog } = await import('#lib/log.ts');
      const { requestLines } = await import('#lib/performance/request-lines.ts');
      const log = createLog('trace');
      for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal']) log[level]({ at: '<0>' }, level);
      requestLines(log)({ requestId: 'r', method: 'GET', operation: 'o', status: 200, ms: 1, address: '::1' });`;
    const entries = await journalOf(
      `"$node" --input-type=module -e '${program.replaceAll("'", `'\\''`)}'`,
      'HOSTYARD_LISTEN=nonsense "$node" src/main.ts',
    );
    const failure = entries.splice(-2);
    assert.deepEqual(
      entries.map(({ PRIORITY, MESSAGE }) => `${PRIORITY} ${(JSON.parse(MESSAGE) as { msg: string }).msg}`),
      ['7 trace', '7 debug', '6 info', '4 warn', '3 error', '2 fatal', '6 request'],
    );
    assert.deepEqual(
      failure.map(({ PRIORITY, MESSAGE }) => `${PRIORITY} ${MESSAGE.slice(0, 19)}`),
      ['3 Invalid settings:', '3   - HOSTYARD_LISTEN'],
    );
  });

  test('that is not the standard output changes nothing', async () => {
    const program = "(await import('#lib/log.ts')).createLog('info').warn('plain')";
    const env = { ...process.env, JOURNAL_STREAM: '1:1' };
    const args = ['--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
    assert.equal((JSON.parse(stdout) as { msg: string }).msg, 'plain');
  });
});
