// The command line as a whole: it starts without the server's code, and leaves no operation of version 2 out.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { v2 } from '#contract/contract.ts';

const source = join(import.meta.dirname, '..', '..', 'src');
const staticImport = /^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)';/gm;

/** Every file of ours that is loaded with this one, at once. */
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
  it('starts with nothing of the server, and without what only some commands need', () => {
    const loaded = [...loadedWith(join(source, 'admin', 'commands.ts'))].map((file) => relative(source, file));
    const foreign = loaded.filter((file) => !/^(?:cli|sdk)\//.test(file));
    assert.deepEqual(foreign.sort(), ['admin/commands.ts', 'admin/local-commands.ts', 'admin/sections.ts']);
    assert.deepEqual(
      loaded.filter((file) => file.startsWith('cli/commands/') || file.startsWith('sdk/generated/')),
      [],
    );
  });

  it('has a command for every operation of version 2', () => {
    const code = globSync('**/*.ts', { cwd: join(source, 'cli') })
      .map((file) => readFileSync(join(source, 'cli', file), 'utf8'))
      .join('\n');
    // What a service is, is told by `server show`; passkeys live in browsers.
    const told = new Set([
      'deviceTypeGet',
      'challengeCreate',
      'challengeAnswer',
      'passkeyBegin',
      'passkeyCreate',
      'passkeyGet',
      'passkeyDelete',
    ]);
    const left = Object.keys(v2).filter((name) => !told.has(name) && !new RegExp(`\\b${name}\\b`).test(code));
    assert.deepEqual(left, []);
  });
});
