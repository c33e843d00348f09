// The commands that run on the server itself, with its settings and database. Each one's code is loaded when it is called.
import type { Define, Entry } from '#cli/command-tree.ts';

type Declaration = readonly [usage: string, summary: string, options?: Pick<Entry, 'formerly'>];

/** Declares the commands of one file, by the names of their functions. */
function commandsIn<Name extends string>(
  load: () => Promise<Record<NoInfer<Name>, Define>>,
  declarations: Readonly<Record<Name, Declaration>>,
): Entry[] {
  return Object.entries<Declaration>(declarations).map(([name, [usage, summary, options]]) => ({
    usage,
    summary,
    ...options,
    define: async () => (await load())[name as Name],
  }));
}

export const localCommands: readonly Entry[] = [
  ...commandsIn(() => import('./commands/serve-command.ts'), {
    serveCommand: ['serve', 'Run the server (like npm start)'],
  }),
  ...commandsIn(() => import('./commands/backup-commands.ts'), {
    backup: ['backup <file>', 'Back up the whole installation into one file while the server runs'],
    restore: ['restore <file>', 'Restore a backup into an empty data folder or database'],
  }),
  ...commandsIn(() => import('./commands/move-command.ts'), {
    move: ['move', 'Move all data between SQLite and PostgreSQL while the server is stopped'],
  }),
  ...commandsIn(() => import('./commands/doctor-command.ts'), {
    doctor: ['doctor', 'Check the installation and suggest fixes'],
  }),
  ...commandsIn(() => import('./commands/site-commands.ts'), {
    apply: ['apply [file]', 'Make the database match a site file, by default the one in HOSTYARD_SITE'],
    diff: ['diff <file>', 'Show what a site file would change; exits with 1 if there are changes'],
    exportSite: ['export', 'Print the database as a site file'],
    seal: ['seal', 'Encrypt a secret from standard input for a site file'],
    schema: ['schema', 'Print the JSON Schema of site files, for editors'],
    importNetbox: ['import netbox <files...>', 'Print a site file made from JSON exports of NetBox'],
  }),
  { usage: 'import', summary: 'Create site files from other programs' },
  ...commandsIn(() => import('./commands/report-commands.ts'), {
    address: ['address <ip>', 'Show who an address is or was assigned to'],
    machines: ['machines', 'Show the state of hypervisors and virtual machines, and why one is missing'],
    audit: ['audit', 'Audit log; without a subcommand, on the server itself: verify every hash chain'],
  }),
  ...commandsIn(() => import('./commands/adopt.ts'), {
    adopt: ['adopt <node> [machine]', "List a hypervisor's machines that Hostyard does not manage yet, or adopt one"],
  }),
  ...commandsIn(() => import('./commands/operator-command.ts'), {
    operatorAdd: ['operator-add <name>', 'Create an operator, such as the first owner, and print an initial password'],
  }),
  ...commandsIn(() => import('./commands/key-commands.ts'), {
    keyList: ['key list', 'List keys, without their secrets'],
    keyCreate: ['key create', 'Create a key and print it once', { formerly: 'make' }],
    keyRevoke: ['key revoke <id>', 'Revoke a key immediately'],
    keyGenerate: [
      'key generate',
      'Generate a key for a site file: print the key, and the id and hash for the file',
      { formerly: 'draw' },
    ],
  }),
  ...commandsIn(() => import('./commands/site-commands.ts'), {
    password: ['password', 'Hash a password from standard input for a site file'],
  }),
  ...commandsIn(() => import('./commands/detect-command.ts'), {
    detectCommand: ['detect [args...]', 'Report an attack to the server, as the notify script of FastNetMon'],
  }),
  ...commandsIn(() => import('./commands/licence-commands.ts'), {
    licenceOrders: ['licence orders', 'List licence orders waiting for a key'],
    licenceDeliver: [
      'licence deliver <order>',
      'Deliver the licence key on standard input to the customer who ordered it',
      { formerly: 'give' },
    ],
  }),
  ...commandsIn(() => import('./commands/mail-commands.ts'), {
    mailTest: ['mail test <address>', 'Check the relays and send a test message'],
    mailBounce: ['mail bounce [recipient]', 'Record a bounce report from standard input'],
    mailPreviewCommand: ['mail preview <kind>', 'Print a kind of message with sample data'],
  }),
  { usage: 'billing', summary: 'Invoices and payments' },
  ...commandsIn(() => import('./commands/billing-commands.ts'), {
    billingRun: ['billing run', 'Start due billing runs now instead of within a minute; the server executes them'],
    billingPay: ['billing pay', 'Record a payment; it settles the oldest invoices first'],
    billingImport: [
      'billing payments import <file>',
      'Import payments from a bank statement with the columns date, amount, reference, text',
    ],
    billingCancel: ['billing cancel <number>', 'Cancel an invoice with a credit note'],
    billingCredit: ['billing credit', 'Add credit to an account'],
    billingRefund: ['billing refund', 'Record that credit was paid out'],
    billingLedger: ['billing ledger', 'Print every ledger entry of an account'],
  }),
  { usage: 'billing payments', summary: 'Bank payments' },
  ...commandsIn(() => import('./commands/boot-commands.ts'), {
    dnsmasq: ['dnsmasq', 'Print a dnsmasq configuration for network boot'],
  }),
];
