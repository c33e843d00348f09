// A newcomer's terminal: pages followed block by block by bash, each page in one session. It has a process tree of its own,
// which is gone with its first process, and says what every block printed.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import type { Block } from './pages.ts';

export interface Walk {
  readonly pages: readonly (readonly Block[])[];
  /** Runs in a terminal of its own, all the while: from when it has printed `ready` until the end, when Ctrl-C ends it. */
  readonly server?: { readonly block: Block; readonly ready: string };
  readonly hands?: Hands;
}

/** What a reader does beside typing what is written. */
export interface Hands {
  /** Has been done before, by page. */
  readonly first?: Readonly<Record<string, string>>;
  /** Lines that go on until Ctrl-C, by what is to be seen before. */
  readonly goOn?: Readonly<Record<string, string>>;
  /** Lines that ask for something, by what is typed. */
  readonly asked?: Readonly<Record<string, string>>;
  /** What sentences tell him to do after a block, by a line of it. A block that is a script lies in `$script`. */
  readonly told?: Readonly<Record<string, string>>;
}

/** Where it is done: commands that go there, namespaces of `unshare`, and the environment. */
export interface Place {
  readonly enter: string;
  readonly namespaces: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface Walked {
  /** The block at which a page ended, and what it said; undefined where the page was followed to its end. */
  failureOf(page: string): string | undefined;
  /** What a block has printed. */
  said(block: Block): string;
  /** The exit status of the server after Ctrl-C, and all that it printed. */
  readonly server: { readonly status: string; readonly said: string };
}

const withinMs = 280_000;
const alone = ['--pid', '--fork', '--kill-child', '--mount-proc'];
const over = 'the walk is over';

export async function walk(wanted: Walk, { enter, namespaces, env }: Place, patienceMs = withinMs): Promise<Walked> {
  await using folder = await temporaryFolder('walk');
  const at = (name: string): string => join(folder.path, name);
  mkdirSync(at('said'));
  // A refusal is a failure of the command, although nothing in the command says so.
  writeFileSync(at('.curlrc'), 'silent\nshow-error\nfail-with-body\n');
  writeFileSync(at('script'), scriptOf(wanted, at('said')));
  const own = {
    PATH: pathOfMachine(),
    HOME: folder.path,
    TMPDIR: folder.path,
    CURL_HOME: folder.path,
    // npm would look for a newer npm, at length where there is no network.
    npm_config_update_notifier: 'false',
  };
  const command = ['bash', '-c', `${enter}\nexec bash ${at('script')}`];
  await using terminal = await startDaemon('unshare', [...namespaces, ...alone, ...command], {
    env: { ...own, ...env },
  });
  const kept = (): Record<string, string> =>
    Object.fromEntries(readdirSync(at('said')).map((name) => [name, readFileSync(join(at('said'), name), 'utf8')]));
  await terminal.printed(over, patienceMs).catch((error: Error) => {
    const last = Object.entries(kept()).map(([name, text]) => `— ${name}\n${text.slice(-2000)}`);
    throw new Error([error.message, ...last].join('\n'));
  });
  return walkedOf(wanted, kept());
}

function walkedOf({ pages }: Walk, kept: Readonly<Record<string, string>>): Walked {
  return {
    failureOf(page) {
      if (kept[`${fileName(page)}.status`] === '0\n') return undefined;
      const block = pages.flat().findLast((each) => each.page === page && kept[nameOf(each)] !== undefined);
      return block === undefined ? 'it never began' : `${page}:${block.line}\n${block.text}\n${kept[nameOf(block)]}`;
    },
    said: (block) => kept[nameOf(block)] ?? '',
    server: { status: (kept['server.status'] ?? '').trim(), said: kept['server'] ?? '' },
  };
}

/** Without what npm puts before it for who runs the tests. */
function pathOfMachine(): string {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  return [...folders, '/usr/sbin', '/sbin'].join(':');
}

function scriptOf({ pages, server, hands = {} }: Walk, said: string): string {
  const page = (blocks: readonly Block[]): string[] => [
    '( set -euo pipefail',
    hands.first?.[blocks[0]!.page] ?? '',
    ...blocks.flatMap((block) => ['{', spelledOut(block, hands), `} >${said}/${nameOf(block)} 2>&1`]),
    `); echo $? >${said}/${fileName(blocks[0]!.page)}.status`,
  ];
  const walked = pages.flatMap(page);
  const beside = server === undefined ? walked : withServer(server, said, walked);
  return [seen, ...beside, `echo ${over}`, 'sleep infinity'].join('\n');
}

function withServer({ block, ready }: NonNullable<Walk['server']>, said: string, walked: string[]): string[] {
  return [
    'set -m',
    `{ ${block.text.trimEnd()}; } >${said}/server 2>&1 & server=$!`,
    'set +m',
    `seen ${said}/server $server '${ready}' || exit`,
    ...walked,
    `kill -INT -- -$server; wait $server; echo $? >${said}/server.status`,
  ];
}

/** Waits until a file has a text, as long as who writes it is there. */
const seen = `
seen() {
  until grep -qF -- "$3" "$1"; do
    kill -0 "$2" || { cat "$1"; return 1; }
    sleep 0.1
  done
}`;

function spelledOut({ text }: Block, { goOn = {}, asked = {}, told = {} }: Hands): string {
  const lines = text.trimEnd().split('\n');
  const afterwards = lines.filter((line) => line in told).map((line) => told[line]!);
  if (text.startsWith('#!'))
    return ['script=$(mktemp); chmod +x $script; cat >$script <<"END"', ...lines, 'END', ...afterwards].join('\n');
  const done = lines.map((line) => {
    if (line in goOn) return interrupted(line, goOn[line]!);
    return line in asked ? `${line.replace(/ +# .*/, '')} <<<"${asked[line]!}"` : line;
  });
  return [...done, ...afterwards].join('\n');
}

/** Followed until the text is seen, then ended by Ctrl-C, which all of its processes get. */
function interrupted(line: string, text: string): string {
  return `
shown=$(mktemp)
set -m
{ ${line}
} >"$shown" 2>&1 & followed=$!
set +m
seen "$shown" $followed '${text}'
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
