// Which commands of the documents are run, by whom, and which cannot be.
import { blocksOf, pages, type Block } from './pages.ts';

/** Pages with commands, in the order in which a newcomer follows them: all in the lab that the README starts. */
export const followed: readonly string[] = [
  'README.md',
  'docs/cli.md',
  'docs/backup.md',
  'docs/clusters.md',
  'docs/mcp.md',
  'docs/attacks.md',
  'docs/network-boot.md',
  'docs/operator-api.md',
  'docs/site-file.md',
];

/** Followed to the letter as well, with real equipment in the place of the lab's. */
export const followedElsewhere: Readonly<Record<string, string>> = {
  'docs/first-site.md': 'test/peers/first-site.test.ts',
};

interface NotRun {
  /** The first line of the block. */
  readonly block: string;
  readonly pages: readonly string[];
  readonly why: string;
  /** What checks it instead. All of it must be good bash as well, and what is Hostyard's in it a command that there is. */
  readonly instead: string;
}

export const notRunHere: readonly NotRun[] = [
  {
    block: 'npm ci && npm test',
    pages: ['README.md', 'CONTRIBUTING.md', 'docs/testing.md'],
    why: 'it is what runs this',
    instead: '.ci/run',
  },
  {
    block: 'npm ci && npm run deb',
    pages: ['docs/installing.md'],
    why: 'it installs a package on this machine',
    instead: 'test/long/deb.test.ts',
  },
  {
    block: 'podman build -f packaging/Containerfile -t hostyard .',
    pages: ['docs/installing.md'],
    why: 'a container cannot be built within one',
    instead: 'test/api/packaging.test.ts',
  },
  {
    block: 'npm ci --omit=dev',
    pages: ['docs/installing.md'],
    why: 'it replaces what the tests run on',
    instead: 'test/long/newcomer.test.ts',
  },
  {
    block: 'sudo -u postgres createuser --pwprompt hostyard',
    pages: ['docs/clusters.md'],
    why: 'it asks for a password, and makes a database of this machine',
    instead: 'test/faults/postgres.test.ts',
  },
  {
    block: 'mkdir netbox',
    pages: ['docs/site-file.md'],
    why: 'no NetBox is here; what one has answered lies there in its place',
    instead: 'src/app/site/netbox.test.ts',
  },
];

/** Within sentences, and harmless: a newcomer types them too. */
export const harmless: readonly string[] = [
  'hostyard --help',
  'hostyard server reload start --help',
  'hostyard context list',
  'hostyard plan list',
  'hostyard billing run --dry-run',
  'hostyard schema > site.schema.json',
  'source <(hostyard completion bash)',
];

export const commandBlocks: readonly Block[] = pages.flatMap(blocksOf).filter(({ language }) => language === 'sh');

/** The block that starts the lab, and goes on. */
export const startBlock: Block = commandBlocks.find(({ text }) => text === 'npm ci && npm start\n')!;

export function firstLine({ text }: Block): string {
  return text.slice(0, text.indexOf('\n'));
}

export function isNotRun(block: Block): boolean {
  return notRunHere.some((entry) => entry.block === firstLine(block) && entry.pages.includes(block.page));
}

/** The blocks of a page that are run one after the other. */
export function blocksToRun(page: string): Block[] {
  return commandBlocks.filter((block) => block.page === page && block !== startBlock && !isNotRun(block));
}
