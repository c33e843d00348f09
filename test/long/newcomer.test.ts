// The README alone, in a fresh clone: every command is typed as written, `npm ci` included, with the network that there is. And
// an install without what only development needs, as docs/installing.md has it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { blocksToRun, commandBlocks, startBlock } from '#test/support/commands-of-documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needsRoot } from '#test/support/needs.ts';
import { root, type Block } from '#test/support/pages.ts';
import { walk, type Place } from '#test/support/walk.ts';

const withinMs = 20 * 60_000;

async function freshClone(): Promise<Place & AsyncDisposable> {
  const folder = await temporaryFolder('clone');
  await promisify(execFile)('git', ['clone', '--quiet', root, join(folder.path, 'hostyard')]);
  return {
    enter: `cd ${folder.path}/hostyard`,
    namespaces: [],
    // npm's own settings and cache; the port is not the default one, which somebody may have.
    env: { HOME: homedir(), XDG_CONFIG_HOME: folder.path, HOSTYARD_LISTEN: '127.0.0.1:0' },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const server = (block: Block) => ({ block, ready: 'Hostyard is running.' });
const goOn = { 'hostyard event --follow': '"state":"on"' };

describe('a fresh clone', needsRoot('bash', 'curl', 'dig', 'git', 'ipmitool', 'npm', 'snmpget', 'unshare'), () => {
  test('is all that the README needs', async () => {
    await using clone = await freshClone();
    const pages = [blocksToRun('README.md')];
    const walked = await walk({ pages, server: server(startBlock), hands: { goOn } }, clone, withinMs);
    assert.equal(walked.failureOf('README.md'), undefined);
    assert.equal(walked.server.status, '0');
  });

  test('runs without what only development needs', async () => {
    await using clone = await freshClone();
    const install = commandBlocks.find(({ text }) => text === 'npm ci --omit=dev\n')!;
    const start = { ...install, text: `${install.text.trim()} && npm start\n` };
    const ask = { ...install, text: '. data/lab.env; curl "$HOSTYARD_URL/readyz"; bin/hostyard server list\n' };
    const walked = await walk({ pages: [[ask]], server: server(start) }, clone, withinMs);
    assert.equal(walked.failureOf(ask.page), undefined);
    assert.match(walked.said(ask), /^1001 +dedicated/m);
  });
});
