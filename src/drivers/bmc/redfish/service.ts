// From the root of a Redfish service to the system and the manager that this connection is about. Links are followed, never
// built; where they led is remembered, until one of them leads nowhere.
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorCode } from '#contract/errors.ts';
import { Fault } from '#kernel/fault.ts';
import type { RedfishClient, Resource } from './client.ts';
import { RedfishError } from './error.ts';
import { linkIn, linksIn, textIn, textsIn, objectIn, objectsIn, type Json } from './json.ts';

export interface RedfishService {
  readonly client: RedfishClient;
  system(signal: AbortSignal): Promise<Resource>;
  /** Of this system; undefined where it has none. */
  manager(signal: AbortSignal): Promise<Resource | undefined>;
  /** Every member of a collection; none where there is no such collection. */
  members(collection: string | undefined, signal: AbortSignal): Promise<readonly Resource[]>;
}

export function redfishService(client: RedfishClient, wanted: string | undefined): RedfishService {
  let known: string | undefined;

  async function members(collection: string | undefined, signal: AbortSignal): Promise<readonly Resource[]> {
    const links: string[] = [];
    // A long collection comes in pages.
    for (let page = collection; page !== undefined;) {
      const { body } = await client.get(page, signal);
      links.push(...linksIn(body, 'Members'));
      page = textIn(body, 'Members@odata.nextLink');
    }
    return Promise.all(links.map((link) => client.get(link, signal)));
  }

  async function find(signal: AbortSignal): Promise<Resource> {
    const { body } = await client.root(signal);
    const systems = await members(linkIn(body, 'Systems'), signal);
    const named = wanted === undefined ? systems : systems.filter((system) => isNamed(system.body, wanted));
    if (named.length !== 1)
      throw new RedfishError('badAnswer', `${named.length} systems where there should be one: see \`system\``);
    known = named[0]!.path;
    return named[0]!;
  }

  async function system(signal: AbortSignal): Promise<Resource> {
    if (known === undefined) return find(signal);
    try {
      return await client.get(known, signal);
    } catch (error) {
      if (!(error instanceof RedfishError) || error.status !== 404) throw error;
      return find(signal);
    }
  }

  return {
    client,
    system,
    members,
    async manager(signal) {
      const own = linksIn(objectIn((await system(signal)).body, 'Links'), 'ManagedBy')[0];
      if (own !== undefined) return client.get(own, signal);
      const all = await members(linkIn((await client.root(signal)).body, 'Managers'), signal);
      return all[0];
    },
  };
}

function isNamed(system: Json, name: string): boolean {
  return textIn(system, 'Id') === name || textIn(system, 'UUID')?.toLowerCase() === name.toLowerCase();
}

export interface Action {
  readonly target: string;
  readonly body: Json;
}

/** Undefined where the resource does not offer the action. */
export function actionOf({ body }: Resource, name: string): Action | undefined {
  const action = objectIn(body, 'Actions', `#${name}`);
  const target = textIn(action, 'target');
  return target === undefined ? undefined : { target, body: action };
}

/** The values that the service takes for a parameter; undefined where it does not list them. */
export async function allowedValues(
  client: RedfishClient,
  action: Action,
  parameter: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const listed = textsIn(action.body, `${parameter}@Redfish.AllowableValues`);
  const info = textIn(action.body, '@Redfish.ActionInfo');
  if (listed !== undefined || info === undefined) return listed;
  const { body } = await client.get(info, signal);
  const described = objectsIn(body, 'Parameters').find((each) => textIn(each, 'Name') === parameter);
  return described === undefined ? undefined : textsIn(described, 'AllowableValues');
}

const lookAgainMs = 250;

/** Asks again until it is so; `otherwise` is what the caller is told where it does not become so in time. */
export async function shows(
  condition: () => Promise<boolean>,
  signal: AbortSignal,
  otherwise: string,
  code: ErrorCode = 'bmc_error',
): Promise<void> {
  const late = (cause: unknown): never => {
    throw new Fault(code, { message: otherwise, cause });
  };
  let hasAnswered = false;
  const look = (): Promise<boolean> =>
    condition().catch((error: unknown) => {
      // One that answered so far has not fallen silent: it is the time that is over.
      if (hasAnswered && signal.aborted) return late(error);
      throw error;
    });
  while (!(await look())) {
    hasAnswered = true;
    await pause(lookAgainMs, undefined, { signal }).catch(late);
  }
}
