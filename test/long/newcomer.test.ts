// The README alone, in a fresh clone: every command is typed as written, including `npm ci`, with the real network.
// Also an install without development dependencies, as docs/guides/installing.md describes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { blocksToRun, commandBlocks, endlessCommands, startBlock } from '#test/support/documented-commands.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needsRoot } from '#test/support/needs.ts';
import { root, type Block } from '#test/support/pages.ts';
import { followPages, type Place } from '#test/support/walkthrough.ts';

const withinMs = 20 * 60_000;

async function freshClone(): Promise<Place & AsyncDisposable> {
  const folder = await temporaryFolder('clone');
  await promisify(execFile)('git', ['clone', '--quiet', root, join(folder.path, 'hostyard')]);
  return {
    enter: `cd ${folder.path}/hostyard`,
    namespaces: [],
    // npm's own settings and cache; the port is not the default one, which may be in use.
    env: { HOME: homedir(), XDG_CONFIG_HOME: folder.path, HOSTYARD_LISTEN: '127.0.0.1:0' },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const server = (block: Block) => ({ block, ready: 'Hostyard is running.' });

describe('a fresh clone', needsRoot('bash', 'curl', 'dig', 'git', 'ipmitool', 'npm', 'snmpget', 'unshare'), () => {
  test('is all that the README needs', async () => {
    await using clone = await freshClone();
    const pages = [blocksToRun('README.md')];
    const result = await followPages(
      { pages, server: server(startBlock), hands: { goOn: endlessCommands } },
      clone,
      withinMs,
    );
    assert.equal(result.failureOf('README.md'), undefined);
    assert.equal(result.server.status, '0');
  });

  test('runs without development dependencies', async () => {
    await using clone = await freshClone();
    const install = commandBlocks.find(({ text }) => text === 'npm ci --omit=dev\n')!;
    const start = { ...install, text: `${install.text.trim()} && npm start\n` };
    const block = { ...install, text: '. data/lab.env; curl "$HOSTYARD_URL/readyz"; bin/hostyard server list\n' };
    const result = await followPages({ pages: [[block]], server: server(start) }, clone, withinMs);
    assert.equal(result.failureOf(block.page), undefined);
    assert.match(result.outputOf(block), /^1001 +dedicated/m);
  });
});
