// The commands of the documents without running them: each is run somewhere or in the list of those that cannot be, and all
// are ones that there are. test/peers/newcomer.test.ts follows the pages.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  commandBlocks,
  firstLine,
  followed,
  followedElsewhere,
  harmless,
  isNotRun,
  notRunHere,
} from '#test/support/commands-of-documents.ts';
import { blocksOf, inlineOf, pages, root } from '#test/support/pages.ts';
import { commandFault } from '#test/support/written-command.ts';

describe('the commands of the documents', () => {
  it('stand in blocks that say what they are', () => {
    const nameless = pages.flatMap(blocksOf).filter(({ language }) => language === '');
    assert.deepEqual(nameless, []);
  });

  it('are all run, or in the list of those that cannot be', () => {
    const left = commandBlocks.filter(
      (block) => !followed.includes(block.page) && !(block.page in followedElsewhere) && !isNotRun(block),
    );
    assert.deepEqual(left, []);
    for (const [page, file] of Object.entries(followedElsewhere))
      assert.ok(readFileSync(join(root, file), 'utf8').includes(page), `${file} follows ${page}`);
  });

  it('are good bash also where they are not run, and something else checks them', () => {
    for (const entry of notRunHere)
      for (const page of entry.pages) {
        const block = commandBlocks.find((each) => each.page === page && firstLine(each) === entry.block);
        assert.ok(block, `${page} has no block ${entry.block} any more`);
        const { status, stderr } = spawnSync('bash', ['-n'], { input: block.text, encoding: 'utf8' });
        assert.equal(status, 0, stderr);
        assert.ok(existsSync(join(root, entry.instead)), entry.instead);
      }
    assert.match(readFileSync(join(root, '.ci/run'), 'utf8'), /^npm ci\nnpm test$/m);
  });

  it('are ones that there are, with their options, in blocks and within sentences', async () => {
    const lines = commandBlocks.flatMap(({ page, line, text }) =>
      text.split('\n').map((each) => ({ page, line, text: each })),
    );
    const faults: string[] = [];
    for (const { page, line, text } of [...lines, ...pages.flatMap(inlineOf)]) {
      const fault = await commandFault(text);
      if (fault !== undefined) faults.push(`${page}:${line} ${text}: ${fault}`);
    }
    assert.deepEqual(faults, []);
  });

  it('within sentences that a newcomer types are still there', () => {
    const written = new Set(pages.flatMap(inlineOf).map(({ text }) => text.replace(/^npx /, '')));
    const gone = harmless.filter((command) => !written.has(command));
    assert.deepEqual(gone, []);
  });
});

describe('a command that is written wrongly', () => {
  it('is told from a right one', async () => {
    const right = [
      'hostyard server power cycle 1001 --wait --yes',
      'hostyard apply --prune [--yes] FILE',
      'HOSTYARD_DATA=site npm start',
      'npm run golden',
      'adduser hostyard libvirt',
      'hostyard operator account list',
      'hostyard billing pay …',
    ];
    const wrong = {
      'hostyard sever list': 'no command sever',
      'x=$(hostyard key make --naem laptop)': 'no option --naem',
      'hostyard server power status 1001 1002': 'takes 1 arguments',
      'hostyard restore --replace': 'wants 1 arguments',
      'npm run goldne': 'no script of package.json',
      'npm ci && npm statr': 'no script of package.json',
    };
    for (const line of right) assert.equal(await commandFault(line), undefined, line);
    for (const [line, fault] of Object.entries(wrong)) assert.equal(await commandFault(line), fault, line);
  });
});
