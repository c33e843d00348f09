// The commands that run on the server itself, with its settings and database. Each one's code is loaded when it is called.
import type { Entry } from '#cli/command-tree.ts';

export const localCommands: readonly Entry[] = [
  {
    usage: 'serve',
    summary: 'Run the server (like npm start)',
    define: async () => (await import('./commands/serve-command.ts')).serveCommand,
  },
  {
    usage: 'backup <file>',
    summary: 'Back up the whole installation into one file while the server runs',
    define: async () => (await import('./commands/backup-commands.ts')).backup,
  },
  {
    usage: 'restore <file>',
    summary: 'Restore a backup into an empty data folder or database',
    define: async () => (await import('./commands/backup-commands.ts')).restore,
  },
  {
    usage: 'doctor',
    summary: 'Check the installation and suggest fixes',
    define: async () => (await import('./commands/doctor-command.ts')).doctor,
  },
  {
    usage: 'apply <file>',
    summary: 'Make the database match a site file',
    define: async () => (await import('./commands/site-commands.ts')).apply,
  },
  {
    usage: 'diff <file>',
    summary: 'Show what a site file would change; exits with 1 if there are changes',
    define: async () => (await import('./commands/site-commands.ts')).diff,
  },
  {
    usage: 'export',
    summary: 'Print the database as a site file',
    define: async () => (await import('./commands/site-commands.ts')).exportSite,
  },
  {
    usage: 'seal',
    summary: 'Encrypt a secret from standard input for a site file',
    define: async () => (await import('./commands/site-commands.ts')).seal,
  },
  {
    usage: 'schema',
    summary: 'Print the JSON Schema of site files, for editors',
    define: async () => (await import('./commands/site-commands.ts')).schema,
  },
  { usage: 'import', summary: 'Create site files from other programs' },
  {
    usage: 'import netbox <files...>',
    summary: 'Print a site file made from JSON exports of NetBox',
    define: async () => (await import('./commands/site-commands.ts')).importNetbox,
  },
  {
    usage: 'address <ip>',
    summary: 'Show who an address is or was assigned to',
    define: async () => (await import('./commands/report-commands.ts')).address,
  },
  {
    usage: 'machines',
    summary: 'Show the state of hypervisors and virtual machines, and why one is missing',
    define: async () => (await import('./commands/report-commands.ts')).machines,
  },
  {
    usage: 'audit',
    summary: 'Audit log; without a subcommand, on the server itself: verify every hash chain',
    define: async () => (await import('./commands/report-commands.ts')).audit,
  },
  {
    usage: 'operator-add <name>',
    summary: 'Create an operator, such as the first owner, and print an initial password',
    define: async () => (await import('./commands/operator-command.ts')).operatorAdd,
  },
  {
    usage: 'key list',
    summary: 'List keys, without their secrets',
    define: async () => (await import('./commands/key-commands.ts')).keyList,
  },
  {
    usage: 'key create',
    formerly: 'make',
    summary: 'Create a key and print it once',
    define: async () => (await import('./commands/key-commands.ts')).keyCreate,
  },
  {
    usage: 'key revoke <id>',
    summary: 'Revoke a key immediately',
    define: async () => (await import('./commands/key-commands.ts')).keyRevoke,
  },
  {
    usage: 'key generate',
    formerly: 'draw',
    summary: 'Generate a key for a site file: print the key, and the id and hash for the file',
    define: async () => (await import('./commands/key-commands.ts')).keyGenerate,
  },
  {
    usage: 'password',
    summary: 'Hash a password from standard input for a site file',
    define: async () => (await import('./commands/password-command.ts')).password,
  },
  {
    usage: 'detect [args...]',
    summary: 'Report an attack to the server, as the notify script of FastNetMon',
    define: async () => (await import('./commands/detect-command.ts')).detectCommand,
  },
  {
    usage: 'licence orders',
    summary: 'List orders that await a licence key',
    define: async () => (await import('./commands/licence-commands.ts')).licenceOrders,
  },
  {
    usage: 'licence deliver <order>',
    formerly: 'give',
    summary: 'Deliver the licence key on standard input to the customer who ordered it',
    define: async () => (await import('./commands/licence-commands.ts')).licenceDeliver,
  },
  { usage: 'billing', summary: 'Invoices and payments' },
  {
    usage: 'billing run',
    summary: 'Start due billing runs now instead of within a minute; the server executes them',
    define: async () => (await import('./commands/billing-commands.ts')).billingRun,
  },
  {
    usage: 'billing pay',
    summary: 'Record a payment; it settles the oldest invoices first',
    define: async () => (await import('./commands/billing-commands.ts')).billingPay,
  },
  { usage: 'billing payments', summary: 'Bank payments' },
  {
    usage: 'billing payments import <file>',
    summary: 'Import payments from a bank statement with the columns date, amount, reference, text',
    define: async () => (await import('./commands/billing-commands.ts')).billingImport,
  },
  {
    usage: 'billing cancel <number>',
    summary: 'Cancel an invoice with a credit note',
    define: async () => (await import('./commands/billing-commands.ts')).billingCancel,
  },
  {
    usage: 'billing credit',
    summary: 'Add credit to an account',
    define: async () => (await import('./commands/billing-commands.ts')).billingCredit,
  },
  {
    usage: 'billing refund',
    summary: 'Record that credit was paid out',
    define: async () => (await import('./commands/billing-commands.ts')).billingRefund,
  },
  {
    usage: 'billing ledger',
    summary: 'Print every ledger entry of an account',
    define: async () => (await import('./commands/billing-commands.ts')).billingLedger,
  },
  {
    usage: 'dnsmasq',
    summary: 'Print a dnsmasq configuration for network boot',
    define: async () => (await import('./commands/boot-commands.ts')).dnsmasq,
  },
];
