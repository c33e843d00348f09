// hostyard operator: the provider's side, derived from its declarations. What the path of an endpoint names is an argument, the
// other parameters are options; a secret is asked for, never an argument.
import type { Command } from 'commander';
import { operator } from '#contract/contract.ts';
import { pathNames, type Endpoint } from '#contract/endpoint.ts';
import { createClient } from '#sdk/operator.ts';
import { askedSecretly, confirmed } from '../ask.ts';
import { withYes } from '../command.ts';
import { chosenContext } from '../contexts.ts';
import { argumentName, inputOf, isOptional, optionOf, secretNames } from '../operator-parameters.ts';
import { showAny } from '../output/any.ts';
import { showFor, type GlobalOptions } from '../session.ts';
import type { Shell } from '../shell.ts';
import { childOf, type Define } from '../table.ts';

type Calls = Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => Promise<unknown>>>;

/** `hostyard login` and `hostyard logout` do these, and keep the key out of sight. */
const ofSigningIn: ReadonlySet<string> = new Set(['sessionCreate', 'sessionDelete']);

export const define: Define = (group, shell) => {
  for (const [name, declaration] of Object.entries(operator as Readonly<Record<string, Endpoint>>))
    if (declaration.command !== undefined && !ofSigningIn.has(name)) addOperation(group, shell, name, declaration);
};

function addOperation(group: Command, shell: Shell, name: string, declaration: Endpoint): void {
  const words = declaration.command!.split(' ');
  const command = words.reduce(childOf, group).description(declaration.summary);
  const inPath = pathNames(declaration.path);
  const secrets = Object.entries(declaration.params).filter(([each]) => secretNames.has(each));
  for (const each of inPath) command.argument(`<${argumentName(each)}>`);
  for (const [each, schema] of Object.entries(declaration.params))
    if (!inPath.includes(each) && !secretNames.has(each)) command.addOption(optionOf(each, schema));
  for (const [each, schema] of secrets) if (isOptional(schema)) command.option(`--${each}`, 'to be asked for it');
  const asks = declaration.method === 'DELETE';
  if (asks) withYes(command);
  command.action(async (...given: unknown[]) => {
    const options = given.at(-2) as Readonly<Record<string, unknown>> & { readonly yes?: boolean };
    const values = given.slice(0, inPath.length) as string[];
    const input = inputOf(declaration.params, options);
    const named = [...values, ...Object.entries(input).map(([each, value]) => `${each} ${String(value)}`)].join(', ');
    if (asks) await confirmed(shell, `${declaration.summary} (${named})?`, options);
    const secretly: Record<string, string> = {};
    for (const [each, schema] of secrets)
      if (!isOptional(schema) || options[each] === true) secretly[each] = await askedSecretly(shell, `${each}: `);
    const { url, key } = await chosenContext(shell, 'operator', command.optsWithGlobals<GlobalOptions>().context);
    const calls = createClient({ url, key }) as unknown as Calls;
    const path = Object.fromEntries(inPath.map((each, index) => [each, values[index]]));
    const answer = await calls[name]!({ ...input, ...path, ...secretly });
    await showAny(showFor(command, shell), answer);
  });
}
