// The command line as a whole: it starts without the server's code, and has a command for every operation of version 2.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { v2 } from '#contract/contract.ts';

const source = join(import.meta.dirname, '..', '..', 'src');
const staticImport = /^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)';/gm;

/** Returns every file of ours that is loaded together with this one. */
function loadedWith(file: string, all = new Set<string>()): Set<string> {
  if (all.has(file)) return all;
  all.add(file);
  for (const [, target] of readFileSync(file, 'utf8').matchAll(staticImport)) {
    if (target!.startsWith('#')) loadedWith(join(source, target!.slice(1)), all);
    else if (target!.startsWith('.')) loadedWith(resolve(dirname(file), target!), all);
  }
  return all;
}

describe('the command line', () => {
  it('starts without the code of the server and of single commands', () => {
    const loaded = [...loadedWith(join(source, 'server', 'commands.ts'))].map((file) => relative(source, file));
    const foreign = loaded.filter((file) => !/^(?:cli|sdk)\//.test(file));
    assert.deepEqual(foreign.sort(), [
      'lib/version.ts',
      'server/commands.ts',
      'server/local-commands.ts',
      'server/program.ts',
    ]);
    assert.deepEqual(
      loaded.filter((file) => file.startsWith('cli/commands/') || file.startsWith('sdk/generated/')),
      [],
    );
  });

  it('prints the version of package.json', () => {
    const root = join(source, '..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const { stdout } = spawnSync(process.execPath, [join(root, 'bin', 'hostyard.js'), '--version'], {
      encoding: 'utf8',
    });
    assert.equal(stdout, `${version}\n`);
  });

  it('has a command for every operation of version 2', () => {
    const code = globSync('**/*.ts', { cwd: join(source, 'cli') })
      .map((file) => readFileSync(join(source, 'cli', file), 'utf8'))
      .join('\n');
    // `server show` prints the type of a service; passkeys and identity providers need a browser.
    const exceptions = new Set([
      'deviceTypeGet',
      'challengeCreate',
      'challengeAnswer',
      'signOnBegin',
      'signOnComplete',
      'passkeyBegin',
      'passkeyCreate',
      'passkeyGet',
      'passkeyDelete',
    ]);
    const missing = Object.keys(v2).filter((name) => !exceptions.has(name) && !new RegExp(`\\b${name}\\b`).test(code));
    assert.deepEqual(missing, []);
  });
});
