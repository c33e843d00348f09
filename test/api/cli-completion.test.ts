// Completion of commands, options and names: by the program, and in the shells that use it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { cliSuite } from '#test/support/cli-suite.ts';
import { runCli } from '#test/support/cli.ts';
import { needs } from '#test/support/needs.ts';
import { openTerminal, type Terminal } from '#test/support/terminal.ts';

const program = join(import.meta.dirname, '..', '..', 'bin', 'hostyard.js');

describe('the command line', () => {
  const cli = cliSuite();

  it('completes commands, options and names', async () => {
    const words = async (...typed: string[]): Promise<string[]> =>
      (await runCli(cli.server, ['__complete', ...typed])).out
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('\t')[0]!);
    assert.deepEqual(await words('server', 'po'), ['power']);
    assert.deepEqual(await words('server', 'power', ''), ['cycle', 'off', 'on', 'reboot', 'shutdown', 'status']);
    assert.deepEqual(await words('server', 'power', 'cycle', '10'), ['1001', '1002']);
    assert.deepEqual(await words('-o', 'y'), ['yaml']);
    assert.deepEqual(await words('server', 'power', 'cycle', '1001', '--w'), ['--wait']);
    assert.deepEqual(await words('invoice', 'list', '--status', 'O'), ['Overdue']);
    assert.deepEqual(await words('completion', ''), ['bash', 'fish', 'zsh']);
    assert.deepEqual(await words('operator', 'account', 'l'), ['list']);
    assert.deepEqual(await words('nothing', 'of', 'this'), []);
    const away = await runCli({ url: 'http://127.0.0.1:1', key: 'hy' }, ['__complete', 'server', 'show', '']);
    assert.deepEqual(away, { code: 0, out: '', err: '' });
  });

  describe('in a shell', needs('bash', 'zsh', 'fish', 'script'), () => {
    let env: NodeJS.ProcessEnv;
    before(() => {
      const programs = join(cli.folder, 'bin');
      mkdirSync(programs);
      const words = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
      writeFileSync(join(programs, 'hostyard'), words, { mode: 0o755 });
      const home = join(cli.folder, 'shells');
      mkdirSync(home);
      const reached = { HOSTYARD_URL: cli.server.url, HOSTYARD_KEY: cli.server.key };
      env = { PATH: `${programs}:${process.env['PATH']}`, HOME: home, PS1: 'READY> ', LC_ALL: 'C.UTF-8', ...reached };
    });

    /** The commands only work if every Tab completes its word. */
    async function completes(typist: Terminal, beginning: string): Promise<void> {
      await typist.sees('READY> ');
      typist.type(`${beginning}\r`);
      await typist.sees('READY> ');
      typist.type('hostyard inv\tlis\t--sta\tOverd\t-o jso\t\r');
      await typist.sees('"status": "Overdue"');
      await typist.sees('READY> ');
      typist.type('hostyard server show 20\t\r');
      await typist.sees('vps1.example.net');
    }

    it('bash completes words, options and services', async () => {
      await using typist = openTerminal('bash --norc --noprofile -i', env);
      await completes(typist, 'source <(hostyard completion bash)');
    });

    it('zsh completes words, options and services', async () => {
      await using typist = openTerminal('zsh -f -i', env);
      await completes(typist, 'autoload -Uz compinit; compinit -u -D; source <(hostyard completion zsh)');
    });

    it('fish completes words, options and services', async () => {
      const commandLines = [
        'hostyard inv',
        'hostyard invoice list --sta',
        'hostyard server show 20',
        'hostyard server power ',
      ];
      const script = ['hostyard completion fish | source', ...commandLines.map((line) => `complete -C '${line}'`)].join(
        '; ',
      );
      const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', script], { env, timeout: 100_000 });
      assert.deepEqual(stdout.split('\n').slice(0, 3), [
        'invoice\tInvoices',
        '--status\tOnly invoices with this status',
        '2001\tvps1.example.net',
      ]);
      assert.match(stdout, /^cycle\t.*\noff\t.*\non\t.*\nreboot\t.*\nshutdown\t.*\nstatus\t.*\n$/m);
    });
  });
});
