// Checks the commands in the documents without running them: each runs somewhere or is listed as not runnable, and all
// of them exist. test/peers/newcomer.test.ts follows the pages.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  commandBlocks,
  firstLine,
  followedPages,
  pagesFollowedElsewhere,
  harmless,
  isSkipped,
  skippedBlocks,
} from '#test/support/documented-commands.ts';
import { blocksOf, inlineOf, pages, root } from '#test/support/pages.ts';
import { findCommandProblem } from '#test/support/documented-command.ts';

describe('the commands in the documents', () => {
  it('are in blocks with a language', () => {
    const nameless = pages.flatMap(blocksOf).filter(({ language }) => language === '');
    assert.deepEqual(nameless, []);
  });

  it('all run, or are listed as not runnable', () => {
    const left = commandBlocks.filter(
      (block) => !followedPages.includes(block.page) && !(block.page in pagesFollowedElsewhere) && !isSkipped(block),
    );
    assert.deepEqual(left, []);
    for (const [page, file] of Object.entries(pagesFollowedElsewhere))
      assert.ok(readFileSync(join(root, file), 'utf8').includes(page), `${file} follows ${page}`);
  });

  it('are valid bash even if they do not run, and are checked by something else', () => {
    for (const entry of skippedBlocks)
      for (const page of entry.pages) {
        const block = commandBlocks.find(
          (candidate) => candidate.page === page && firstLine(candidate) === entry.block,
        );
        assert.ok(block, `${page} no longer has the block ${entry.block}`);
        const { status, stderr } = spawnSync('bash', ['-n'], { input: block.text, encoding: 'utf8' });
        assert.equal(status, 0, stderr);
        assert.ok(existsSync(join(root, entry.instead)), entry.instead);
      }
    assert.match(readFileSync(join(root, '.ci/run'), 'utf8'), /^npm ci\nnpm test$/m);
  });

  it('exist with their options, in blocks and within sentences', async () => {
    const lines = commandBlocks.flatMap(({ page, line, text }) =>
      text
        .replaceAll(/\\\n */g, '')
        .split('\n')
        .map((lineText) => ({ page, line, text: lineText })),
    );
    const problems: string[] = [];
    for (const { page, line, text } of [...lines, ...pages.flatMap(inlineOf)]) {
      const problem = await findCommandProblem(text);
      if (problem !== undefined) problems.push(`${page}:${line} ${text}: ${problem}`);
    }
    assert.deepEqual(problems, []);
  });

  it('within sentences that a newcomer types still exist', () => {
    const written = new Set(pages.flatMap(inlineOf).map(({ text }) => text.replace(/^npx /, '')));
    const unused = harmless.filter((command) => !written.has(command));
    assert.deepEqual(unused, []);
  });
});

describe('a misspelt command', () => {
  it('is detected', async () => {
    const right = [
      'hostyard server power cycle 1001 --wait --yes',
      'hostyard apply --prune [--yes] FILE',
      'HOSTYARD_DATA=site npm start',
      'npm run golden',
      'adduser hostyard libvirt',
      'hostyard operator account list',
      'hostyard billing pay …',
    ];
    const expectedProblems = {
      'hostyard sever list': 'no command sever',
      'x=$(hostyard key create --naem laptop)': 'no option --naem',
      'hostyard server power status 1001 1002': 'takes 1 arguments',
      'hostyard restore --replace': 'wants 1 arguments',
      'npm run goldne': 'no script of package.json',
      'npm ci && npm statr': 'no script of package.json',
    };
    for (const line of right) assert.equal(await findCommandProblem(line), undefined, line);
    for (const [line, problem] of Object.entries(expectedProblems))
      assert.equal(await findCommandProblem(line), problem, line);
  });
});
