// The command line without any command of ours: version, arguments, former names and lazy loading.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { localCommand } from './command.ts';
import { runProgram } from './program.ts';
import { confirm } from './prompt.ts';
import type { Shell } from './shell.ts';
import type { Entry } from './command-tree.ts';

async function run(
  words: string,
  commands: readonly Entry[] = [],
  terminal: { readonly isTTY?: boolean } = {},
): Promise<{ code: number; out: string; err: string }> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const shell: Shell = { in: Object.assign(new PassThrough().end(), terminal), out, err, env: {}, home: '/' };
  const sections = [{ heading: 'Commands:', commands }];
  const code = await runProgram(words.split(' '), { version: '9.8.7', sections }, shell);
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
}

const copy = localCommand({
  usage: 'copy <from> [to]',
  formerly: 'duplicate',
  summary: 'Copy a thing',
  run: ({ print }, { from, to }) => print.text(`${from.toUpperCase()} ${to?.toUpperCase()}`),
});
const join = localCommand({
  usage: 'join <first> <rest...>',
  summary: 'Join things',
  run: ({ print }, { first, rest }) => print.text([first, ...rest].join('+')),
});

describe('the program', () => {
  it('prints the version that it is given', async () => {
    assert.deepEqual(await run('--version'), { code: 0, out: '9.8.7\n', err: '' });
  });

  it('passes arguments to the handler under the names in the usage', async () => {
    assert.equal((await run('copy a b', [copy])).out, 'A B\n');
    assert.equal((await run('copy a', [copy])).out, 'A undefined\n');
    assert.equal((await run('join a b c', [join])).out, 'a+b+c\n');
    assert.equal((await run('copy', [copy])).code, 2);
  });

  it('prints names that others chose without what controls a terminal', async () => {
    const remove = localCommand({
      usage: 'remove',
      summary: 'Remove a thing',
      run: ({ shell }) => confirm(shell, 'Remove vm\u009b2J \u202etxt?', {}),
    });
    assert.equal((await run('remove', [remove])).err, 'Remove vm2J txt? Not interactive; pass --yes.\n');
    assert.match((await run('remove', [remove], { isTTY: true })).err, /^Remove vm2J txt\? \[y\/N\] /);
  });

  it('never overwrites a file, and names it', async () => {
    const save = localCommand({
      usage: 'save',
      summary: 'Save a thing',
      run: () => writeFile(import.meta.filename, '', { flag: 'wx' }),
    });
    assert.deepEqual(await run('save', [save]), { code: 1, out: '', err: `${import.meta.filename} exists already.\n` });
  });

  it('marks options that a command demands', async () => {
    const named = localCommand({
      usage: 'name',
      summary: 'Name a thing',
      options: (command) => command.requiredOption('--to <name>', 'New name').option('--note <text>', 'Note'),
      run: () => {},
    });
    assert.match(
      (await run('name --help', [named])).out,
      /--to <name> +New name \(required\)\n +--note <text> +Note\n/,
    );
  });

  it('lists the commands of a noun after an unknown one', async () => {
    const zone = { ...copy, usage: 'zone copy <from> [to]' };
    const noun: Entry = {
      usage: 'thing',
      summary: 'Things',
      commands: async () => [{ ...join, formerly: 'merge' }, zone],
    };
    const { code, err } = await run('thing list', [noun]);
    const help = 'Add --help to see how it is used.\n';
    assert.deepEqual([code, err], [2, `error: unknown command 'list'\nCommands: join, zone. ${help}`]);
    assert.equal((await run('thing zone make', [noun])).err, `error: unknown command 'make'\nCommands: copy. ${help}`);
    assert.equal((await run('thing join', [noun])).err, `error: missing required argument 'first'\n${help}`);
  });

  it('accepts the former name of a command, and shows it in no help', async () => {
    assert.equal((await run('duplicate a b', [copy])).out, 'A B\n');
    const help = (await run('--help', [copy])).out;
    assert.match(help, /copy .*Copy a thing/);
    assert.doesNotMatch(help, /duplicate/);
    assert.equal((await run('__complete dup', [copy])).out, '');
  });

  it('loads the commands of a noun only when one of them is called', async () => {
    let loads = 0;
    const noun: Entry = {
      usage: 'thing',
      summary: 'Things',
      async commands() {
        loads += 1;
        return [copy];
      },
    };
    assert.match((await run('--help', [noun])).out, /thing +Things/);
    assert.equal(loads, 0);
    assert.equal((await run('thing copy a b', [noun])).out, 'A B\n');
    assert.match((await run('thing --help', [noun])).out, /copy .*Copy a thing/);
    assert.equal(loads, 2);
  });

  it('keeps the code of a command that an earlier section has registered', async () => {
    const replacement: Entry = { ...copy, usage: 'thing copy <from> [to]', summary: 'Copy another thing' };
    const noun: Entry = { usage: 'thing', summary: 'Things', commands: async () => [copy, join] };
    const { out } = await run('thing --help', [noun, replacement]);
    assert.match(out, /Copy another thing/);
    assert.match(out, /Join things/);
  });
});
