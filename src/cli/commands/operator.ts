// hostyard operator: the provider's side, derived from its declarations. What the path of an endpoint names is an argument, the
// other parameters are options; a secret is asked for, never an argument.
import type { Command } from 'commander';
import { operator } from '#contract/contract.ts';
import { pathNames, type Endpoint, type Parameters } from '#contract/endpoint.ts';
import { createClient } from '#sdk/operator.ts';
import { askedSecretly, confirmed } from '../ask.ts';
import { withYes } from '../command.ts';
import { chosenContext } from '../contexts.ts';
import { argumentName, inputOf, isOptional, optionOf, secretNames } from '../operator-parameters.ts';
import { showAny } from '../output/any.ts';
import { showFor, type GlobalOptions } from '../session.ts';
import type { Shell } from '../shell.ts';
import { childOf, type Define } from '../table.ts';

type Options = Readonly<Record<string, unknown>> & { readonly yes?: boolean };
type Calls = Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => Promise<unknown>>>;

/** `hostyard login` and `hostyard logout` do these, and keep the key out of sight. */
const ofSigningIn: ReadonlySet<string> = new Set(['sessionCreate', 'sessionDelete']);

/** Verbs after which something is gone, or stands still. */
const destroying: ReadonlySet<string> = new Set([
  'close',
  'delete',
  'end',
  'remove',
  'reset',
  'revoke',
  'suspend',
  'terminate',
  'unwind',
]);

export const define: Define = (group, shell) => {
  for (const [name, declaration] of Object.entries(operator as Readonly<Record<string, Endpoint>>))
    if (declaration.command !== undefined && !ofSigningIn.has(name)) addOperation(group, shell, name, declaration);
};

function addOperation(group: Command, shell: Shell, name: string, declaration: Endpoint): void {
  const words = declaration.command!.split(' ');
  const command = words.reduce(childOf, group).description(declaration.summary);
  const inPath = pathNames(declaration.path);
  const asks = declaration.method === 'DELETE' || destroying.has(words.at(-1)!);
  addParameters(command, declaration.params, inPath);
  if (asks) withYes(command);
  command.action(async (...given: unknown[]) => {
    const options = given.at(-2) as Options;
    const path = Object.fromEntries(inPath.map((each, index) => [each, given[index] as string]));
    const input = { ...path, ...inputOf(declaration.params, options) };
    if (asks) await confirmed(shell, `${declaration.summary} (${named(input)})?`, options);
    const secrets = await askedSecrets(shell, declaration.params, options);
    const { url, key } = await chosenContext(shell, 'operator', command.optsWithGlobals<GlobalOptions>().context);
    const calls = createClient({ url, key }) as unknown as Calls;
    await showAny(showFor(command, shell), await calls[name]!({ ...input, ...secrets }));
  });
}

function addParameters(command: Command, params: Parameters, inPath: readonly string[]): void {
  for (const each of inPath) command.argument(`<${argumentName(each)}>`);
  for (const [each, schema] of Object.entries(params)) {
    if (inPath.includes(each)) continue;
    if (!secretNames.has(each)) command.addOption(optionOf(each, schema));
    else if (isOptional(schema)) command.option(`--${each}`, 'to be asked for it');
  }
}

async function askedSecrets(shell: Shell, params: Parameters, options: Options): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const [each, schema] of Object.entries(params))
    if (secretNames.has(each) && (!isOptional(schema) || options[each] === true))
      secrets[each] = await askedSecretly(shell, `${each}: `);
  return secrets;
}

function named(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .map(([each, value]) => `${each} ${String(value)}`)
    .join(', ');
}
