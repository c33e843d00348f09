// Our TFTP server and third-party clients: tftp-hpa, and curl with its options.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { startTftpServer } from '#protocols/tftp/server.ts';

const run = promisify(execFile);
const firmware = randomBytes(90_000);
const start = () =>
  startTftpServer({
    address: '127.0.0.1',
    port: 0,
    find: async (name) => (name === 'undionly.kpxe' ? firmware : undefined),
    onError: (error) => assert.fail(String(error)),
  });

describe('the TFTP server', () => {
  it('serves a file to tftp-hpa', needs('tftp'), async () => {
    await using server = await start();
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'got');
    await run('tftp', ['-m', 'binary', '127.0.0.1', String(server.port), '-c', 'get', 'undionly.kpxe', file]);
    assert.deepEqual(await readFile(file), firmware);
  });

  it('serves a file to curl, in blocks of its choice', needs('curl'), async () => {
    await using server = await start();
    const url = `tftp://127.0.0.1:${server.port}/undionly.kpxe`;
    for (const blockBytes of ['512', '1400']) {
      const { stdout } = await run('curl', ['-sS', '--tftp-blksize', blockBytes, url], {
        encoding: 'buffer',
        maxBuffer: 1_000_000,
      });
      assert.deepEqual(stdout, firmware);
    }
    await assert.rejects(run('curl', ['-sS', `tftp://127.0.0.1:${server.port}/absent`]), { code: 68 });
  });
});
