// Lists which commands of the documents the tests run, and which they cannot run.
import { blocksOf, pages, type Block } from './pages.ts';

/** Pages with commands, in a newcomer's order; all run in the lab that the README starts. */
export const followedPages: readonly string[] = [
  'README.md',
  'docs/reference/cli.md',
  'docs/guides/customers.md',
  'docs/guides/backup.md',
  'docs/guides/clusters.md',
  'docs/guides/mcp.md',
  'docs/guides/attacks.md',
  'docs/guides/network-boot.md',
  'docs/reference/operator-api.md',
  'docs/reference/site-file.md',
  'docs/explanation/handover.md',
];

/** Pages that are followed with real equipment instead of the lab. */
export const pagesFollowedElsewhere: Readonly<Record<string, string>> = {
  'docs/tutorials/first-site.md': 'test/peers/first-site.test.ts',
};

interface NotRun {
  /** First line of the block. */
  readonly block: string;
  readonly pages: readonly string[];
  readonly why: string;
  /** What checks it instead. Every such block must still be valid bash, and its Hostyard commands must exist. */
  readonly instead: string;
}

export const skippedBlocks: readonly NotRun[] = [
  ...[
    'hostyard snapshot create vps1.example.net "before the upgrade" --wait',
    'hostyard image create vps1.example.net "Web server" --snapshot "before the upgrade" --wait',
    'hostyard machine sizes vps1.example.net',
  ].map((block) => ({
    block,
    pages: ['docs/guides/snapshots.md'],
    why: 'it asks before it restores, reinstalls or resizes the machine',
    instead: 'test/api/machine-snapshots.test.ts',
  })),
  {
    block:
      "hostyard operator service provision --server dc01r01ds03 --account 3 --type dedicated --name 'Dedicated E3' \\",
    pages: ['docs/guides/customers.md'],
    why: 'every server of the lab has a customer',
    instead: 'test/api/operator-services.test.ts',
  },
  {
    block: 'hostyard machine group create database',
    pages: ['docs/guides/machine-orders.md'],
    why: 'it needs locations, and asks before it orders',
    instead: 'test/api/machine-orders.test.ts',
  },
  {
    block: 'hostyard machine protect db1.example.com',
    pages: ['docs/guides/machine-orders.md'],
    why: 'it asks before it deletes the machine',
    instead: 'test/api/machine-deletion.test.ts',
  },
  {
    block: 'hostyard volume create vps1.example.net data 50 --wait',
    pages: ['docs/guides/volumes.md'],
    why: 'it asks before it deletes the volume',
    instead: 'test/api/machine-volumes.test.ts',
  },
  {
    block: 'hostyard machine-backup order 2001 BACKUP web2.example.net Small --wait',
    pages: ['docs/guides/machine-backups.md'],
    why: 'the lab has no backup of that id, and it asks before it orders',
    instead: 'test/api/machine-backups.test.ts',
  },
  {
    block: 'hostyard machine-backup volume 2001 BACKUP old-disk --wait',
    pages: ['docs/guides/machine-backups.md'],
    why: 'the lab has no backup of that id',
    instead: 'test/api/machine-backups.test.ts',
  },
  {
    block: 'mkfs.ext4 /dev/disk/by-id/virtio-vol-5',
    pages: ['docs/guides/volumes.md'],
    why: 'the machines of the lab have no disks',
    instead: 'test/peers/virtual-libvirt-node.test.ts',
  },
  {
    block: 'hostyard operator node members ct-cluster',
    pages: ['docs/guides/migration.md'],
    why: 'the lab has no cluster of LXD daemons',
    instead: 'test/peers/virtual-lxd-cluster.test.ts',
  },
  {
    block: 'hostyard operator node adoptable hv01',
    pages: ['docs/guides/machines.md'],
    why: 'the lab’s hypervisors had no machines before Hostyard',
    instead: 'test/api/machine-orders.test.ts',
  },
  {
    block: 'hostyard adopt hv01',
    pages: ['docs/guides/machines.md'],
    why: 'the lab’s hypervisors had no machines before Hostyard',
    instead: 'test/peers/virtual-libvirt-story.test.ts',
  },
  {
    block: 'hostyard operator invoice deliveries --state rejected',
    pages: ['docs/guides/invoice-delivery.md'],
    why: 'the lab has no access point',
    instead: 'test/api/invoice-delivery.test.ts',
  },
  ...[
    'hostyard operator exchange-rate set --currency USD --date 2026-01-30 --rate 1.0832',
    'hostyard statement show --from 2026-01-01 --until 2026-12-31',
  ].map((block) => ({
    block,
    pages: ['docs/guides/tax.md'],
    why: 'the days of the guide are not those of the lab',
    instead: 'test/api/invoice-delivery.test.ts',
  })),
  ...['hostyard tax update --kind business --vatnumber FR40303265045', 'hostyard operator tax get --account 2'].map(
    (block) => ({
      block,
      pages: ['docs/guides/tax.md'],
      why: 'the lab has rates by country, and asks no register',
      instead: 'test/api/tax.test.ts',
    }),
  ),
  ...[
    "hostyard operator node maintenance --name hv01 --enabled --reason 'new fans'",
    'hostyard operator machine migrate --device vm-101 --target hv02',
    "hostyard operator node evacuate --name hv01 --reason 'a new board'",
  ].map((block) => ({
    block,
    pages: ['docs/guides/migration.md'],
    why: 'the lab has one hypervisor',
    instead: 'test/api/machine-migration.test.ts',
  })),
  {
    block: 'hostyard operator sepa import --statement FILE.xml',
    pages: ['docs/guides/sepa.md'],
    why: 'the lab has no bank',
    instead: 'test/api/sepa.test.ts',
  },
  {
    block: 'hostyard operator payment charges --account 12',
    pages: ['docs/guides/payments.md'],
    why: 'the lab takes no payments',
    instead: 'test/api/payments.test.ts',
  },
  {
    block: 'hostyard operator erasure list --output json > erasures.json',
    pages: ['docs/guides/privacy.md'],
    why: 'it erases accounts',
    instead: 'test/api/privacy.test.ts',
  },
  ...[
    'hostyard apply hostyard.yaml',
    'hostyard operator mail list --status Failed',
    'hostyard mail preview invoice.issued --language de',
    'hostyard operator mail list --status Bounced',
  ].map((block) => ({
    block,
    pages: ['docs/guides/mail.md'],
    why: 'the lab has no mail relay',
    instead: 'test/api/mail.test.ts',
  })),
  {
    block: 'hostyard operator maintenance list',
    pages: ['docs/guides/maintenance.md'],
    why: 'the lab has no rack B2',
    instead: 'test/api/maintenance.test.ts',
  },
  ...[
    'hostyard sign-up request --firstname Ada --lastname Lovelace --email ada@example.com --country GB',
    'hostyard operator sign-up list --status Waiting',
    'apt install postfix # choose “Local only”',
    'export HOSTYARD_URL=http://127.0.0.1:8080',
  ].map((block) => ({
    block,
    pages: ['docs/guides/sign-up.md'],
    why: 'the lab has no mail relay',
    instead: 'test/api/sign-up.test.ts',
  })),
  {
    block: 'hostyard account sign-on show',
    pages: ['docs/guides/single-sign-on.md'],
    why: 'the lab has no identity provider',
    instead: 'test/api/account-sign-on.test.ts',
  },
  {
    block: 'hostyard dns zone claim example.org',
    pages: ['docs/guides/claiming-domains.md'],
    why: 'it needs the public DNS',
    instead: 'test/api/zone-claims.test.ts',
  },
  {
    block: 'hostyard dns zone verify example.org',
    pages: ['docs/guides/claiming-domains.md'],
    why: 'it needs the public DNS',
    instead: 'test/api/zone-claims.test.ts',
  },
  {
    block: 'hostyard dns zone withdrawn',
    pages: ['docs/guides/claiming-domains.md'],
    why: 'it needs the public DNS',
    instead: 'test/api/zone-claims.test.ts',
  },
  ...[
    'hostyard key create --name certificates --scopes dns:read,dns:write --acme example.com',
    'export PDNS_API_URL=https://api.example.net PDNS_API_KEY=hy_…',
    'export HTTPREQ_ENDPOINT=https://api.example.net/acme HTTPREQ_USERNAME=any HTTPREQ_PASSWORD=hy_…',
    'export PDNS_Url=https://api.example.net PDNS_ServerId=localhost PDNS_Token=hy_… PDNS_Ttl=60',
  ].map((block) => ({
    block,
    pages: ['docs/guides/dns-automation.md'],
    why: 'it needs a public domain and a public certificate authority',
    instead: 'test/peers/dns-automation.test.ts',
  })),
  ...['hostyard dns tsig create --name certificates --acme example.com', "nsupdate -k tsig.key <<'UPDATE'"].map(
    (block) => ({
      block,
      pages: ['docs/guides/dns-automation.md'],
      why: 'it needs a key file and a public name server',
      instead: 'test/peers/dns-updates.test.ts',
    }),
  ),
  {
    block: 'npm ci && npm test',
    pages: ['README.md', 'CONTRIBUTING.md', 'docs/guides/testing.md'],
    why: 'this run is that command',
    instead: '.ci/run',
  },
  {
    block: 'npm ci && npm run deb',
    pages: ['docs/guides/installing.md'],
    why: 'it would install a package on this machine',
    instead: 'test/long/deb.test.ts',
  },
  {
    block:
      'ssh-keygen -Y verify -f hostyard-signers -I releases@hostyard.example -n hostyard-release -s SHA256SUMS.sig <SHA256SUMS',
    pages: ['docs/guides/installing.md'],
    why: 'it needs a release',
    instead: 'test/long/release.test.ts',
  },
  {
    block: 'npm run release -- --key ~/.ssh/hostyard-release',
    pages: ['docs/guides/releasing.md'],
    why: 'it takes minutes',
    instead: 'test/long/release.test.ts',
  },
  {
    block: "ssh-keygen -t ed25519 -C 'Hostyard releases' -f ~/.ssh/hostyard-release",
    pages: ['docs/guides/releasing.md'],
    why: 'it asks for a passphrase',
    instead: 'test/long/release.test.ts',
  },
  {
    block: 'npm install --global ./hostyard-cli-*.tgz',
    pages: ['docs/guides/installing.md'],
    why: 'it would install a command on this machine',
    instead: 'test/api/cli-package.test.ts',
  },
  {
    block: 'podman build --format docker -f packaging/Containerfile -t hostyard .',
    pages: ['docs/guides/installing.md'],
    why: 'it takes minutes',
    instead: 'test/long/container.test.ts',
  },
  {
    block: 'head -c 32 /dev/urandom | base64 | podman secret create hostyard-sealing-key -',
    pages: ['docs/guides/installing.md'],
    why: 'it needs the image',
    instead: 'test/long/container.test.ts',
  },
  {
    block: 'npm ci --omit=dev',
    pages: ['docs/guides/installing.md'],
    why: 'it would replace the packages that the tests use',
    instead: 'test/long/newcomer.test.ts',
  },
  {
    block: 'sudo -u postgres createuser --pwprompt hostyard',
    pages: ['docs/guides/clusters.md'],
    why: 'it asks for a password and creates a database on this machine',
    instead: 'test/faults/postgres.test.ts',
  },
  ...[
    'sudo -u postgres createuser --replication --pwprompt replicator',
    'sudo -u postgres pg_basebackup -R -h db1 -U replicator -D /var/lib/postgresql/15/main',
  ].map((block) => ({
    block,
    pages: ['docs/guides/clusters.md'],
    why: 'it needs PostgreSQL on two machines',
    instead: 'test/long/under-load.test.ts',
  })),
  {
    block: 'hostyard move --to postgres://hostyard@localhost/hostyard --check',
    pages: ['docs/guides/upgrading.md'],
    why: 'it needs a PostgreSQL at a fixed address',
    instead: 'test/upgrade/move.test.ts',
  },
  {
    block: 'sudo -u postgres pg_basebackup -D /var/backups/postgresql/base -c fast',
    pages: ['docs/guides/backup.md'],
    why: 'it needs a PostgreSQL at a fixed address',
    instead: 'test/long/point-in-time.test.ts',
  },
  {
    block: 'mkdir netbox',
    pages: ['docs/reference/site-file.md'],
    why: 'there is no NetBox here; recorded responses are used instead',
    instead: 'src/app/site/netbox.test.ts',
  },
  {
    block: 'hostyard operator reclaim list',
    pages: ['docs/explanation/handover.md'],
    why: 'no server of the lab is in quarantine',
    instead: 'test/api/certificates.test.ts',
  },
];

/** Harmless commands within sentences, which a newcomer types as well. */
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

/** The block that starts the lab and keeps running. */
export const startBlock: Block = commandBlocks.find(({ text }) => text === 'npm ci && npm start\n')!;

/** Commands that run until Ctrl-C, by the text to wait for. */
export const endlessCommands: Readonly<Record<string, string>> = { 'hostyard event --follow': 'owered on' };

export function firstLine({ text }: Block): string {
  return text.slice(0, text.indexOf('\n'));
}

export function isSkipped(block: Block): boolean {
  return skippedBlocks.some((entry) => entry.block === firstLine(block) && entry.pages.includes(block.page));
}

/** The blocks of a page that run one after the other. */
export function blocksToRun(page: string): Block[] {
  return commandBlocks.filter((block) => block.page === page && block !== startBlock && !isSkipped(block));
}
