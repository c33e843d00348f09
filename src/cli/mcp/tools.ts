// The operations of API version 2 as tools for an assistant. By default it can only read. With changes allowed it can make
// reversible changes, and create plans for irreversible ones. Operations that grant access are never tools.
import { Type } from 'typebox';
import { v2 } from '#contract/contract.ts';
import { destructionOf, isDestructive, isPlannable } from '#contract/destructive-operations.ts';
import { effectOf, type Endpoint, type Api } from '#contract/endpoint.ts';
import { gatherComponents } from '#contract/openapi/schema.ts';
import type { CallOptions, Client, Plan } from '#sdk/v2.ts';

type Arguments = Readonly<Record<string, unknown>>;

export interface Tool {
  /** In the format of `tools/list`. */
  readonly description: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: object;
    readonly annotations: object;
  };
  call(client: Client, args: Arguments, options: CallOptions): Promise<unknown>;
}

/** An assistant creates plans by calling a destructive tool; these check for approval and execute the plan. */
const planTools = new Set(['planGet', 'planRun']);
/** They grant access, now or with the next installation, or return an archive of everything. */
const personalOperations = new Set([
  'devicePasswordCollect',
  'deviceConsoleOpen',
  'deviceConsoleTicket',
  'deviceConsoleWeb',
  'sshKeyCreate',
  'signOnDomainAdd',
  'accountExportFile',
]);

export function toolsFor(allowed: 'reading' | 'changes'): ReadonlyMap<string, Tool> {
  const tools = Object.entries(v2 as Api)
    .filter(([name, declaration]) => isOffered(name, declaration, allowed))
    .map(([name, declaration]) => [name, toolOf(name, declaration)] as const);
  return new Map(tools);
}

function isOffered(name: string, declaration: Endpoint, allowed: 'reading' | 'changes'): boolean {
  const { access, tag } = declaration;
  if (access === 'public' || access === 'any' || access === 'account:keys' || personalOperations.has(name))
    return false;
  if (tag === 'plan') return name === 'planGet' || (planTools.has(name) && allowed === 'changes');
  return effectOf(declaration) === 'none' || (allowed === 'changes' && isPlannable(declaration));
}

function toolOf(name: string, declaration: Endpoint): Tool {
  const isReading = effectOf(declaration) === 'none' && name !== 'planRun';
  const destruction = destructionOf(name);
  const sentences = [declaration.summary, declaration.description, destruction && planSentence(destruction)];
  return {
    description: {
      name,
      description: sentences
        .filter((sentence) => sentence !== undefined)
        .map((sentence) => sentence.replace(/\.?$/, '.'))
        .join(' '),
      inputSchema: inputSchema(declaration),
      annotations: {
        title: declaration.summary,
        readOnlyHint: isReading,
        ...(isReading ? {} : { destructiveHint: destruction !== undefined || name === 'planRun' }),
        openWorldHint: false,
      },
    },
    async call(client, args, options) {
      if (isDestructive(name, args))
        return pendingPlan(await client.planCreate({ operation: name, params: args as never }, options));
      const call = client[name as keyof typeof v2] as (input: Arguments, options: CallOptions) => Promise<unknown>;
      return call(args, options);
    },
  };
}

function planSentence(destruction: NonNullable<ReturnType<typeof destructionOf>>): string {
  const when =
    destruction === 'always' ? 'This' : `Unless \`${destruction.parameter}\` is ${String(destruction.harmless)}, this`;
  return `${when} cannot be undone, so the call only creates a plan. A person has to approve the plan; then planRun executes it`;
}

function pendingPlan(plan: Plan): object {
  return {
    plan,
    next: `Nothing has been changed yet. Tell the user what plan ${plan.id} does and that they must approve it before ${plan.expires} UTC, in the panel or with: hostyard plan approve ${plan.id}. Once planGet shows it as Approved, call planRun with id ${plan.id}.`,
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
