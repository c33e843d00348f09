// The commands that work through the API, for customers and operators. Only names and summaries are here: each noun's file
// is loaded when one of its commands is called.
import { lazyCommand, type Entry } from './command-tree.ts';

export const customerCommands: readonly Entry[] = [
  lazyCommand({
    usage: 'login',
    summary: 'Sign in and save the key in a context',
    load: async () => (await import('./commands/login.ts')).login,
  }),
  lazyCommand({
    usage: 'logout',
    summary: 'Sign out and remove the keys of a context',
    load: async () => (await import('./commands/login.ts')).logout,
  }),
  {
    usage: 'context',
    summary: 'Saved servers and keys',
    commands: async () => (await import('./commands/context.ts')).contextCommands,
  },
  {
    usage: 'server',
    summary: 'Services of any type: servers and virtual machines',
    commands: async () => (await import('./commands/server.ts')).serverCommands,
  },
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
  lazyCommand({
    usage: 'console <service>',
    summary: 'Open the serial console in this terminal, or print VNC credentials',
    load: async () => (await import('./commands/console.ts')).openConsole,
  }),
  lazyCommand({
    usage: 'console-reset <service>',
    summary: 'End the open console session of a device',
    load: async () => (await import('./commands/console.ts')).resetConsole,
  }),
  lazyCommand({
    usage: 'bandwidth <service>',
    summary: 'Show the traffic of a service, in figures or as a graph',
    load: async () => (await import('./commands/bandwidth.ts')).showBandwidth,
  }),
  { usage: 'dns', summary: 'Zones, records and reverse DNS' },
  {
    usage: 'dns zone',
    summary: 'Zones',
    commands: async () => (await import('./commands/dns-zone.ts')).zoneCommands,
  },
  {
    usage: 'dns record',
    summary: 'Records of a zone',
    commands: async () => (await import('./commands/dns-record.ts')).recordCommands,
  },
  {
    usage: 'dns reverse',
    summary: 'Reverse DNS (PTR)',
    commands: async () => (await import('./commands/dns-reverse.ts')).reverseCommands,
  },
  {
    usage: 'dns dnssec',
    summary: 'Zone signing',
    commands: async () => (await import('./commands/dns-dnssec.ts')).dnssecCommands,
  },
  {
    usage: 'network',
    summary: 'Addresses, ports, attacks and null routes',
    commands: async () => (await import('./commands/network.ts')).networkCommands,
  },
  {
    usage: 'invoice',
    summary: 'Invoices',
    commands: async () => (await import('./commands/invoice.ts')).invoiceCommands,
  },
  {
    usage: 'account',
    summary: 'Your account, password and two-factor authentication',
    commands: async () => (await import('./commands/account.ts')).accountCommands,
  },
  {
    usage: 'contact',
    summary: 'Contacts and subaccounts',
    commands: async () => (await import('./commands/contact.ts')).contactCommands,
  },
  {
    usage: 'licence',
    summary: 'Software licences',
    commands: async () => (await import('./commands/licence.ts')).licenceCommands,
  },
  { usage: 'key', summary: 'API keys', commands: async () => (await import('./commands/key.ts')).keyCommands },
  {
    usage: 'webhook',
    summary: 'Events sent to a URL',
    commands: async () => (await import('./commands/webhook.ts')).webhookCommands,
  },
  { usage: 'audit', summary: 'Audit log', commands: async () => (await import('./commands/audit.ts')).auditCommands },
  {
    usage: 'action',
    summary: 'Operations in progress and completed',
    commands: async () => (await import('./commands/action.ts')).actionCommands,
  },
  {
    usage: 'plan',
    summary: 'Changes proposed by an assistant, for your approval',
    commands: async () => (await import('./commands/plan.ts')).planCommands,
  },
  lazyCommand({
    usage: 'mcp',
    summary: 'Serve your services to an assistant as MCP tools',
    load: async () => (await import('./commands/mcp.ts')).serveAssistant,
  }),
  lazyCommand({
    usage: 'event',
    summary: 'Show events of the account; with --follow, as they happen',
    load: async () => (await import('./commands/event.ts')).showEvents,
  }),
  {
    usage: 'operator',
    summary: 'Operator commands, for staff of the provider',
    define: async () => (await import('./commands/operator.ts')).defineOperatorCommands,
  },
  lazyCommand({
    usage: 'completion <shell>',
    summary: 'Print the completion script for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).printCompletion,
  }),
];
