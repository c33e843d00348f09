// The commands that run beside the server, on the same settings and the same database. A row names the command, says in one
// line what it does and where its code is; the code is a function that gives a command of commander its options and action.
import type { CommandTable } from '#cli/table.ts';

export const localCommands: CommandTable = {
  serve: ['run the server (as npm start does)', async () => (await import('./commands/serve-command.ts')).serveCommand],
  'backup <file>': [
    'copy all that this installation knows into one file, while the server runs',
    async () => (await import('./commands/backup-commands.ts')).backup,
  ],
  'restore <file>': [
    'bring a backup back into an empty data folder or database',
    async () => (await import('./commands/backup-commands.ts')).restore,
  ],
  doctor: [
    'say what is wrong with this installation, and the mend',
    async () => (await import('./commands/doctor-command.ts')).doctor,
  ],
  'apply <file>': [
    'make the database match a site file',
    async () => (await import('./commands/site-commands.ts')).apply,
  ],
  'diff <file>': [
    'show what a site file would change; status 1 where it differs from the database',
    async () => (await import('./commands/site-commands.ts')).diff,
  ],
  export: ['print the database as a site file', async () => (await import('./commands/site-commands.ts')).exportSite],
  seal: [
    'read a secret from standard input and print it sealed, for a site file',
    async () => (await import('./commands/site-commands.ts')).seal,
  ],
  schema: [
    'print the JSON Schema of site files, for editors',
    async () => (await import('./commands/site-commands.ts')).schema,
  ],
  import: ['site files from other programs'],
  'import netbox <files...>': [
    'print a site file made of what NetBox exports as JSON',
    async () => (await import('./commands/site-commands.ts')).importNetbox,
  ],
  'address <ip>': [
    'who holds an address, or held it at a moment',
    async () => (await import('./commands/report-commands.ts')).address,
  ],
  machines: [
    'nodes and virtual machines: what was last seen of them, and why one is not there yet',
    async () => (await import('./commands/report-commands.ts')).machines,
  ],
  audit: [
    'who changed what; alone, on the server itself: check the hash chain of every log',
    async () => (await import('./commands/report-commands.ts')).audit,
  ],
  'operator-add <name>': [
    'let one of the staff sign in, such as the first owner; prints a first password',
    async () => (await import('./commands/operator-command.ts')).operatorAdd,
  ],
  key: ['API keys'],
  'key make': ['make a key; it is shown this once', async () => (await import('./commands/key-commands.ts')).keyMake],
  'key list': ['the keys, without their secrets', async () => (await import('./commands/key-commands.ts')).keyList],
  'key revoke <id>': ['end a key at once', async () => (await import('./commands/key-commands.ts')).keyRevoke],
  'key draw': [
    'make a key for a site file: prints the key, and the id and hash to write into the file',
    async () => (await import('./commands/key-commands.ts')).keyDraw,
  ],
  password: [
    'read a password from standard input and print its hash for a site file',
    async () => (await import('./commands/password-command.ts')).password,
  ],
  'detect [args...]': [
    'hand over what FastNetMon tells its notify script',
    async () => (await import('./commands/detect-command.ts')).detectCommand,
  ],
  licence: ['software licences'],
  'licence orders': [
    'orders that wait for a key',
    async () => (await import('./commands/licence-commands.ts')).licenceOrders,
  ],
  'licence give <order>': [
    'read the key of an order from standard input and hand it to the customer',
    async () => (await import('./commands/licence-commands.ts')).licenceKeyGive,
  ],
  billing: ['bills and payments'],
  'billing run': [
    'start the runs that are due at once, rather than within a minute; the server carries them out',
    async () => (await import('./commands/billing-commands.ts')).billingRun,
  ],
  'billing pay': [
    'note a payment; it goes to the oldest invoices first',
    async () => (await import('./commands/billing-commands.ts')).billingPay,
  ],
  'billing payments': ['payments of a bank'],
  'billing payments import <file>': [
    'take the payments of a bank’s list: columns date, amount, reference, text',
    async () => (await import('./commands/billing-commands.ts')).billingImport,
  ],
  'billing cancel <number>': [
    'take an invoice back with a credit note',
    async () => (await import('./commands/billing-commands.ts')).billingCancel,
  ],
  'billing credit': [
    'give an account credit',
    async () => (await import('./commands/billing-commands.ts')).billingCredit,
  ],
  'billing refund': [
    'note that credit was paid out',
    async () => (await import('./commands/billing-commands.ts')).billingRefund,
  ],
  'billing ledger': [
    'every entry of an account',
    async () => (await import('./commands/billing-commands.ts')).billingLedger,
  ],
  dnsmasq: [
    'print a configuration of dnsmasq for network boot',
    async () => (await import('./commands/boot-commands.ts')).dnsmasq,
  ],
};
