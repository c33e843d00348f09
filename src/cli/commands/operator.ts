// hostyard operator: the operator API, derived from its declarations. Parameters in the path are arguments, the others are
// options; secrets are prompted for and never arguments.
import type { Command } from 'commander';
import { operator } from '#contract/contract.ts';
import { pathNames, type Endpoint, type Parameters } from '#contract/endpoint.ts';
import { createClient, type FileResponse } from '#sdk/operator.ts';
import { withYes, type YesOption } from '../command.ts';
import { resolveContext } from '../contexts.ts';
import { saveDownload, withFile, type FileOption } from '../download.ts';
import {
  argumentName,
  fileNames,
  inputOf,
  isOptional,
  optionOf,
  secretNames,
  withRoles,
} from '../operator-parameters.ts';
import { printAny } from '../output/print-any.ts';
import { confirm, promptSecret } from '../prompt.ts';
import { readInput } from '../read-input.ts';
import { printerFor, type GlobalOptions } from '../session.ts';
import type { Shell } from '../shell.ts';
import { childOf, type Define } from '../command-tree.ts';

type Options = Readonly<Record<string, unknown>> & YesOption & FileOption;
type Calls = Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => Promise<unknown>>>;

/** `hostyard login` and `hostyard logout` do these without showing the key. */
const sessionOperations: ReadonlySet<string> = new Set(['sessionCreate', 'sessionDelete']);

const destructiveVerbs: ReadonlySet<string> = new Set([
  'close',
  'delete',
  'end',
  'evacuate',
  'migrate',
  'remove',
  'reset',
  'write-off',
  'revoke',
  'suspend',
  'terminate',
  'unwind',
]);

/** The topic of the commands of each noun. */
const nounSummaries: Readonly<Record<string, string>> = {
  account: 'Customer accounts',
  audit: 'Audit log of customers and staff',
  backup: 'Backups of the database',
  billing: 'Billing runs and payments',
  cancellation: 'Cancelled services',
  change: 'Change notifications',
  contact: 'Contacts of customers',
  credit: 'Goodwill credit for customers',
  coupon: 'Coupons',
  device: 'Servers and virtual machines: locks, maintenance, hardware',
  dunning: 'Reminders, late fees and suspensions of unpaid accounts',
  email: 'Your email address',
  erasure: 'Erasure of accounts',
  event: 'Events of customers',
  'exchange-rate': 'Exchange rates of the euro',
  export: 'Archives of everything about a customer',
  fleet: 'State of all equipment and background work',
  impersonation: "Sessions in which staff view a customer's account",
  installation: 'State of this installation: site file, clock, billing',
  invoice: 'Invoices of customers',
  job: 'Permanently failed jobs',
  key: 'API keys of customers',
  ledger: 'Ledgers and balances of customers',
  licence: 'Licence orders waiting for a key',
  machine: 'Virtual machines by hypervisor, and their migration',
  mail: 'Mail to customers',
  maintenance: 'Planned maintenance and its announcement',
  netblock: 'IP blocks and who they are assigned to',
  node: 'Hypervisors: capacity, maintenance, evacuation',
  note: 'Staff’s notes on customers',
  nullroute: 'Null routes',
  operator: 'Staff and their roles',
  passkey: 'Your passkeys',
  password: 'Your password',
  payment: 'Payments of customers, payment methods, charges and refunds',
  plan: 'Plans and their prices',
  port: 'Ports of switches: traffic, errors, neighbours',
  rack: 'Racks and what is in them',
  reclaim: 'Erasure of servers between customers',
  reconciler: 'Tasks that keep equipment and database in sync',
  refund: 'Money paid out to customers',
  report: 'Reports on revenue, receivables, taxes and payments',
  request: 'Requests for addresses, to approve or reject',
  sepa: 'Direct debits: files for the bank, bank statements',
  service: 'Services: provision, suspend, resume, terminate',
  session: 'Your session',
  'sign-up': 'Sign-ups waiting for approval, and invitations',
  statement: 'Account statements of customers',
  switch: 'Switches and whether they respond',
  tax: 'Tax data of customers and their VAT numbers',
  totp: 'Your authenticator app',
  usage: 'Metered usage of services',
  workflow: 'Work in several steps, in progress and completed',
};

/** Verbs as they used to be. They still work, but no help shows them. */
const formerVerbs: Readonly<Record<string, string>> = { requestRefuse: 'refuse' };

export const defineOperatorCommands: Define = (group, shell) => {
  for (const [name, declaration] of Object.entries(operator as Readonly<Record<string, Endpoint>>)) {
    if (declaration.command === undefined || sessionOperations.has(name)) continue;
    const nouns = declaration.command.split(' ');
    const verb = nouns.pop()!;
    const noun = nouns.reduce((parent, word) => childOf(parent, word, shell), group);
    if (nouns.length > 0) noun.description(nounSummaries[nouns.join(' ')] ?? '');
    defineOperation(childOf(noun, verb, shell), shell, name, declaration);
    const formerVerb = formerVerbs[name];
    if (formerVerb !== undefined)
      defineOperation(childOf(noun, formerVerb, shell, { hidden: true }), shell, name, declaration);
  }
};

function defineOperation(command: Command, shell: Shell, name: string, declaration: Endpoint): void {
  const inPath = pathNames(declaration.path);
  const isDestructive = declaration.method === 'DELETE' || destructiveVerbs.has(command.name());
  command.description(declaration.summary);
  addParameters(command, declaration.params, inPath);
  const prompted = requiredSecrets(declaration.params);
  if (prompted.length > 0)
    command.addHelpText(
      'after',
      `\nPrompts for: ${prompted.join(', ')}. Without a terminal, standard input has a line for each.`,
    );
  if (isDestructive) withYes(command);
  if (declaration.file !== undefined) withFile(command);
  command.action(async () => {
    const options = command.opts<Options>();
    const path = Object.fromEntries(inPath.map((parameter, index) => [parameter, command.args[index]!]));
    const input = { ...path, ...inputOf(declaration.params, options) };
    if (isDestructive) await confirm(shell, `${declaration.summary} (${inputText(input)})?`, options);
    const secrets = await promptSecrets(shell, declaration, options);
    const files = await readFiles(shell, declaration.params, input);
    const { url, key } = await resolveContext(shell, 'operator', command.optsWithGlobals<GlobalOptions>().context);
    const calls = createClient({ url, key }) as unknown as Calls;
    const print = printerFor(command, shell);
    const response = await calls[name]!({ ...input, ...files, ...secrets });
    if (declaration.file === undefined) await printAny(print, response);
    else await saveDownload({ print, shell }, response as FileResponse, options);
  });
}

async function readFiles(
  shell: Shell,
  params: Parameters,
  input: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name of fileNames(params)) texts[name] = await readInput(shell, String(input[name]));
  return texts;
}

function addParameters(command: Command, params: Parameters, inPath: readonly string[]): void {
  for (const name of inPath) command.argument(`<${argumentName(name)}>`);
  for (const [name, schema] of Object.entries(params)) {
    if (inPath.includes(name)) continue;
    if (!secretNames.has(name)) command.addOption(optionOf(name, schema));
    else if (isOptional(schema)) command.option(`--${name}`, withRoles('Prompt for it', schema));
  }
}

function requiredSecrets(params: Parameters): string[] {
  return Object.keys(params).filter((name) => secretNames.has(name) && !isOptional(params[name]!));
}

/** Whoever must prove who they are and chooses no way is asked for the password: a terminal has no passkeys. */
async function promptSecrets(
  shell: Shell,
  { params, proof }: Endpoint,
  options: Options,
): Promise<Record<string, string>> {
  const chosen = Object.keys(params).filter(
    (name) => secretNames.has(name) && (!isOptional(params[name]!) || options[name] === true),
  );
  const names = chosen.length === 0 && proof === 'caller' ? ['password'] : chosen;
  const values: Record<string, string> = {};
  for (const name of names) values[name] = await promptSecret(shell, `${name}: `);
  return values;
}

function inputText(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}
