// The commands that work through the API, for customers and operators. Only names and summaries are here: each noun's file
// is loaded when one of its commands is called.
import { commandGroup, lazyCommand, type Entry } from './command-tree.ts';

export const customerCommands: readonly Entry[] = [
  lazyCommand(
    'login',
    'Sign in and save the key in a context',
    async () => (await import('./commands/login.ts')).login,
  ),
  lazyCommand(
    'logout',
    'Sign out and remove the keys of a context',
    async () => (await import('./commands/login.ts')).logout,
  ),
  lazyCommand(
    'recover',
    'Choose a new password with a link that is sent to your email address',
    async () => (await import('./commands/login.ts')).recover,
  ),
  lazyCommand(
    'join',
    'Accept an invitation with the link that was sent to you',
    async () => (await import('./commands/login.ts')).join,
  ),
  commandGroup('sign-up', 'Create an account', () => import('./commands/sign-up.ts')),
  commandGroup('context', 'Saved servers and keys', () => import('./commands/context.ts')),
  commandGroup('server', 'Services of any type: servers and virtual machines', () => import('./commands/server.ts')),
  {
    usage: 'vps',
    summary: 'Virtual machines',
    commands: async () => (await import('./commands/server.ts')).machineCommands('vps'),
  },
  {
    usage: 'cloud',
    summary: 'Cloud machines',
    commands: async () => (await import('./commands/server.ts')).machineCommands('cloud'),
  },
  lazyCommand(
    'console <service>',
    'Open the serial console in this terminal, or print VNC credentials',
    async () => (await import('./commands/console.ts')).openConsole,
  ),
  lazyCommand(
    'console-reset <service>',
    'End the open console session of a device',
    async () => (await import('./commands/console.ts')).resetConsole,
  ),
  lazyCommand(
    'bandwidth <service>',
    'Show the traffic of a service, in figures or as a graph',
    async () => (await import('./commands/bandwidth.ts')).showBandwidth,
  ),
  { usage: 'dns', summary: 'Zones, records and reverse DNS' },
  commandGroup('dns zone', 'Zones', () => import('./commands/dns-zone.ts')),
  commandGroup('dns record', 'Records of a zone', () => import('./commands/dns-record.ts')),
  commandGroup('dns reverse', 'Reverse DNS (PTR)', () => import('./commands/dns-reverse.ts')),
  lazyCommand(
    'dns apply <file>',
    'Change records of several zones as a YAML or JSON file says; all or none',
    async () => (await import('./commands/dns-apply.ts')).applyChanges,
  ),
  commandGroup('dns dnssec', 'Zone signing', () => import('./commands/dns-dnssec.ts')),
  commandGroup('dns tsig', 'Keys for DNS updates and zone transfers', () => import('./commands/dns-tsig.ts')),
  commandGroup('network', 'Addresses, ports, attacks and null routes', () => import('./commands/network.ts')),
  commandGroup(
    'certificate',
    'Signed records of how servers were erased between customers',
    () => import('./commands/certificate.ts'),
  ),
  commandGroup('invoice', 'Invoices', () => import('./commands/invoice.ts')),
  commandGroup('tax', 'VAT number and tax data', () => import('./commands/tax.ts')),
  commandGroup(
    'account',
    'Your account, password and two-factor authentication',
    () => import('./commands/account.ts'),
  ),
  commandGroup('contact', 'Contacts and subaccounts', () => import('./commands/contact.ts')),
  commandGroup('mail', 'Messages sent by email', () => import('./commands/mail.ts')),
  commandGroup('licence', 'Software licences', () => import('./commands/licence.ts')),
  commandGroup('ssh-key', 'SSH keys for installations', () => import('./commands/ssh-key.ts')),
  commandGroup('key', 'API keys', () => import('./commands/key.ts')),
  commandGroup('webhook', 'Events sent to a URL', () => import('./commands/webhook.ts')),
  commandGroup('audit', 'Audit log', () => import('./commands/audit.ts')),
  commandGroup('action', 'Operations in progress and completed', () => import('./commands/action.ts')),
  commandGroup('plan', 'Changes proposed by an assistant, for your approval', () => import('./commands/plan.ts')),
  lazyCommand(
    'mcp',
    'Serve your services to an assistant as MCP tools',
    async () => (await import('./commands/mcp.ts')).serveAssistant,
  ),
  lazyCommand(
    'event',
    'Show events of the account; with --follow, as they happen',
    async () => (await import('./commands/event.ts')).showEvents,
  ),
  lazyCommand(
    'maintenance',
    'List announced maintenance of your services',
    async () => (await import('./commands/maintenance.ts')).showMaintenance,
  ),
  {
    usage: 'operator',
    summary: 'Operator commands, for staff of the provider',
    define: async () => (await import('./commands/operator.ts')).defineOperatorCommands,
  },
  lazyCommand(
    'completion <shell>',
    'Print the completion script for bash, zsh or fish',
    async () => (await import('./commands/completion.ts')).printCompletion,
  ),
];
