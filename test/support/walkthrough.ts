// A newcomer's terminal: bash follows pages block by block, each page in one session. It has its own process tree,
// which ends with its first process, and records what every block printed.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import type { Block } from './pages.ts';

export interface Walkthrough {
  readonly pages: readonly (readonly Block[])[];
  /** Runs in a second terminal: ready once it has printed `ready`, ended by Ctrl-C. */
  readonly server?: { readonly block: Block; readonly ready: string };
  readonly hands?: ReaderActions;
}

/** A reader's actions beyond typing what is written. */
export interface ReaderActions {
  /** Steps done before a page, by page. */
  readonly first?: Readonly<Record<string, string>>;
  /** Lines that run until Ctrl-C, by the text to wait for. */
  readonly goOn?: Readonly<Record<string, string>>;
  /** Lines that prompt for input, by what is typed. */
  readonly typedInput?: Readonly<Record<string, string>>;
  /**
   * Actions that the prose asks for after a block, by a line of the block. A block that is a script is in `$script`.
   */
  readonly actionsAfter?: Readonly<Record<string, string>>;
}

/** Where to run: commands to enter it, `unshare` namespaces, and the environment. */
export interface Place {
  readonly enter: string;
  readonly namespaces: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface WalkthroughResult {
  /** Returns the block at which a page failed and its output, or undefined if the page succeeded. */
  failureOf(page: string): string | undefined;
  /** Returns what a block printed. */
  outputOf(block: Block): string;
  /** The server's exit status after Ctrl-C, and its output. */
  readonly server: { readonly status: string; readonly output: string };
}

const withinMs = 280_000;
const alone = ['--pid', '--fork', '--kill-child', '--mount-proc'];
const over = 'the walkthrough is complete';

export async function followPages(
  walkthrough: Walkthrough,
  { enter, namespaces, env }: Place,
  patienceMs = withinMs,
): Promise<WalkthroughResult> {
  await using folder = await temporaryFolder('walk');
  const at = (name: string): string => join(folder.path, name);
  mkdirSync(at('output'));
  // An HTTP error fails the command, although the command itself does not say so.
  writeFileSync(at('.curlrc'), 'silent\nshow-error\nfail-with-body\n');
  writeFileSync(at('script'), scriptOf(walkthrough, at('output')));
  const own = {
    PATH: pathOfMachine(),
    HOME: folder.path,
    TMPDIR: folder.path,
    CURL_HOME: folder.path,
    // npm would check for a newer npm, which takes long without a network.
    npm_config_update_notifier: 'false',
  };
  const command = ['bash', '-c', `${enter}\nexec bash ${at('script')}`];
  await using terminal = await startDaemon('unshare', [...namespaces, ...alone, ...command], {
    env: { ...own, ...env },
  });
  const readOutputs = (): Record<string, string> =>
    Object.fromEntries(readdirSync(at('output')).map((name) => [name, readFileSync(join(at('output'), name), 'utf8')]));
  await terminal.printed(over, patienceMs).catch((error: Error) => {
    const last = Object.entries(readOutputs()).map(([name, text]) => `— ${name}\n${text.slice(-2000)}`);
    throw new Error([error.message, ...last].join('\n'));
  });
  return resultOf(walkthrough, readOutputs());
}

function resultOf({ pages }: Walkthrough, outputs: Readonly<Record<string, string>>): WalkthroughResult {
  return {
    failureOf(page) {
      if (outputs[`${fileName(page)}.status`] === '0\n') return undefined;
      const block = pages
        .flat()
        .findLast((candidate) => candidate.page === page && outputs[nameOf(candidate)] !== undefined);
      return block === undefined
        ? 'it never started'
        : `${page}:${block.line}\n${block.text}\n${outputs[nameOf(block)]}`;
    },
    outputOf: (block) => outputs[nameOf(block)] ?? '',
    server: { status: (outputs['server.status'] ?? '').trim(), output: outputs['server'] ?? '' },
  };
}

/** PATH without what npm prepends for the process that runs the tests. */
function pathOfMachine(): string {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  return [...folders, '/usr/sbin', '/sbin'].join(':');
}

function scriptOf({ pages, server, hands = {} }: Walkthrough, outputFolder: string): string {
  const page = (blocks: readonly Block[]): string[] => [
    '( set -euo pipefail',
    hands.first?.[blocks[0]!.page] ?? '',
    ...blocks.flatMap((block) => ['{', blockScript(block, hands), `} >${outputFolder}/${nameOf(block)} 2>&1`]),
    `); echo $? >${outputFolder}/${fileName(blocks[0]!.page)}.status`,
  ];
  const lines = pages.flatMap(page);
  const allLines = server === undefined ? lines : withServer(server, outputFolder, lines);
  return [waitForText, ...allLines, `echo ${over}`, 'sleep infinity'].join('\n');
}

function withServer(
  { block, ready }: NonNullable<Walkthrough['server']>,
  outputFolder: string,
  lines: string[],
): string[] {
  return [
    'set -m',
    `{ ${block.text.trimEnd()}; } >${outputFolder}/server 2>&1 & server=$!`,
    'set +m',
    `wait_for_text ${outputFolder}/server $server '${ready}' || exit`,
    ...lines,
    `kill -INT -- -$server; wait $server; echo $? >${outputFolder}/server.status`,
  ];
}

/** Waits until a file contains a text, as long as its writer is alive. */
const waitForText = `
wait_for_text() {
  until grep -qF -- "$3" "$1"; do
    kill -0 "$2" || { cat "$1"; return 1; }
    sleep 0.1
  done
}`;

function blockScript({ text }: Block, { goOn = {}, typedInput = {}, actionsAfter = {} }: ReaderActions): string {
  const lines = text.trimEnd().split('\n');
  const afterwards = lines.filter((line) => line in actionsAfter).map((line) => actionsAfter[line]!);
  if (text.startsWith('#!'))
    return ['script=$(mktemp); chmod +x $script; cat >$script <<"END"', ...lines, 'END', ...afterwards].join('\n');
  const done = lines.map((line) => {
    if (line in goOn) return interrupted(line, goOn[line]!);
    return line in typedInput ? `${line.replace(/ +# .*/, '')} <<<"${typedInput[line]!}"` : line;
  });
  return [...done, ...afterwards].join('\n');
}

/** Runs until the text appears, then sends Ctrl-C to all of its processes. */
function interrupted(line: string, text: string): string {
  return `
shown=$(mktemp)
set -m
{ ${line}
} >"$shown" 2>&1 & followed=$!
set +m
wait_for_text "$shown" $followed '${text}'
kill -INT -- -$followed
wait $followed || [ $? = 130 ]
cat "$shown"`;
}

function nameOf({ page, line }: Block): string {
  return `${fileName(page)}:${line}`;
}

function fileName(page: string): string {
  return page.replaceAll('/', '-');
}
