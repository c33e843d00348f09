// The operations of version 2 as tools of an assistant. By itself it only reads; where the one who started it allows changes, it
// changes what can be brought back, and of what cannot it makes plans. What hands out access is not among the tools at all.
import { Type } from 'typebox';
import { v2 } from '#contract/contract.ts';
import { destroyingOf, isDestroying, isPlannable } from '#contract/destroys.ts';
import { effectOf, type Endpoint, type Face } from '#contract/endpoint.ts';
import { gatherComponents } from '#contract/openapi-schema.ts';
import type { CallOptions, Client, Plan } from '#sdk/v2.ts';

type Arguments = Readonly<Record<string, unknown>>;

export interface Tool {
  /** As MCP lists it. */
  readonly listed: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: object;
    readonly annotations: object;
  };
  call(client: Client, given: Arguments, options: CallOptions): Promise<unknown>;
}

/** What an assistant has to do with plans: it makes them by calling what destroys, looks whether they were approved, and has them done. */
const planTools = new Set(['planGet', 'planRun']);
/** What they answer lets its reader into a device. */
const waysIn = new Set(['devicePasswordCollect', 'deviceConsoleOpen', 'deviceConsoleTicket']);

export function toolsFor(allowed: 'reading' | 'changes'): ReadonlyMap<string, Tool> {
  const tools = Object.entries(v2 as Face)
    .filter(([name, declaration]) => isOffered(name, declaration, allowed))
    .map(([name, declaration]) => [name, toolOf(name, declaration)] as const);
  return new Map(tools);
}

function isOffered(name: string, declaration: Endpoint, allowed: 'reading' | 'changes'): boolean {
  const { access, tag } = declaration;
  if (access === 'public' || access === 'any' || access === 'account:keys' || waysIn.has(name)) return false;
  if (tag === 'plan') return name === 'planGet' || (planTools.has(name) && allowed === 'changes');
  return effectOf(declaration) === 'none' || (allowed === 'changes' && isPlannable(declaration));
}

function toolOf(name: string, declaration: Endpoint): Tool {
  const reads = effectOf(declaration) === 'none' && name !== 'planRun';
  const destroying = destroyingOf(name);
  const sentences = [declaration.summary, declaration.description, destroying && planSentence(destroying)];
  return {
    listed: {
      name,
      description: sentences
        .filter((sentence) => sentence !== undefined)
        .map((sentence) => sentence.replace(/\.?$/, '.'))
        .join(' '),
      inputSchema: inputSchema(declaration),
      annotations: {
        title: declaration.summary,
        readOnlyHint: reads,
        ...(reads ? {} : { destructiveHint: destroying !== undefined || name === 'planRun' }),
        openWorldHint: false,
      },
    },
    async call(client, given, options) {
      if (isDestroying(name, given))
        return asked(await client.planCreate({ operation: name, params: given as never }, options));
      const call = client[name as keyof typeof v2] as (input: Arguments, options: CallOptions) => Promise<unknown>;
      return call(given, options);
    },
  };
}

function planSentence(destroying: NonNullable<ReturnType<typeof destroyingOf>>): string {
  const when =
    destroying === 'always' ? 'This' : `Unless \`${destroying.parameter}\` is ${String(destroying.harmless)}, this`;
  return `${when} cannot be brought back, so nothing is done at once: a plan is made, which a person has to approve; planRun carries it out then`;
}

function asked(plan: Plan): object {
  return {
    plan,
    next: `Nothing was done yet. Tell the person what plan ${plan.id} is about and that it has to be approved before ${plan.expires} UTC, in the panel or with: hostyard plan approve ${plan.id}. Once planGet shows it as Approved, call planRun with id ${plan.id}.`,
  };
}

function inputSchema({ params }: Endpoint): object {
  const components = gatherComponents();
  const required = Object.entries(params).filter(([, schema]) => !Type.IsOptional(schema));
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(params).map(([name, schema]) => [name, components.schema(schema)])),
    ...(required.length === 0 ? {} : { required: required.map(([name]) => name) }),
    additionalProperties: false,
  };
}
