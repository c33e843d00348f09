// Finds the system and the manager of this connection from the service root. Paths are always discovered by links, and
// cached until one returns 404.
import type { RedfishClient, Resource } from './client.ts';
import { findBehaviour, type KnownBehaviour } from './known-services.ts';
import { RedfishError } from './error.ts';
import { getLink, getLinks, getText, getTexts, getObject, getObjects, longestList, type Json } from './json.ts';

export interface RedfishService {
  readonly client: RedfishClient;
  /** Returns the known behaviour of this maker's services. */
  behaviour(signal: AbortSignal): Promise<KnownBehaviour>;
  system(signal: AbortSignal): Promise<Resource>;
  /** The manager of this system, if there is one. */
  manager(signal: AbortSignal): Promise<Resource | undefined>;
  memberLinks(collection: string | undefined, signal: AbortSignal): Promise<readonly string[]>;
  /** All members of a collection; empty if the collection does not exist. */
  members(collection: string | undefined, signal: AbortSignal): Promise<readonly Resource[]>;
}

export function redfishService(client: RedfishClient, systemId: string | undefined): RedfishService {
  async function memberLinks(collection: string | undefined, signal: AbortSignal): Promise<readonly string[]> {
    const links: string[] = [];
    // Large collections are paginated. An empty page counts too, because each may lead to another one.
    for (let page = collection, pages = 0; page !== undefined; pages++) {
      if (links.length + pages > longestList) throw new RedfishError('badResponse', 'a collection has no end');
      const { body } = await client.get(page, signal);
      links.push(...getLinks(body, 'Members'));
      page = getText(body, 'Members@odata.nextLink');
    }
    return links;
  }
  const members = async (collection: string | undefined, signal: AbortSignal): Promise<readonly Resource[]> =>
    Promise.all((await memberLinks(collection, signal)).map((link) => client.get(link, signal)));

  const system = cachedResource(client, async (signal) => {
    const { body } = await client.root(signal);
    const systems = await members(getLink(body, 'Systems'), signal);
    const matches = systemId === undefined ? systems : systems.filter((match) => hasIdOrUuid(match.body, systemId));
    if (matches.length !== 1)
      throw new RedfishError('badResponse', `found ${matches.length} systems instead of one: set \`system\``);
    return matches[0]!;
  });

  return {
    client,
    async behaviour(signal) {
      const { body } = await client.root(signal);
      return findBehaviour([getText(body, 'Vendor') ?? '', ...Object.keys(getObject(body, 'Oem'))]);
    },
    system,
    memberLinks,
    members,
    async manager(signal) {
      const managerLink = getLinks(getObject((await system(signal)).body, 'Links'), 'ManagedBy')[0];
      if (managerLink !== undefined) return client.get(managerLink, signal);
      const managers = await members(getLink((await client.root(signal)).body, 'Managers'), signal);
      return managers[0];
    },
  };
}

/** Searches for a resource on first use, and again if its path returns 404. */
export function cachedResource(
  client: RedfishClient,
  find: (signal: AbortSignal) => Promise<Resource>,
): (signal: AbortSignal) => Promise<Resource> {
  let knownPath: string | undefined;
  return async (signal) => {
    if (knownPath !== undefined) {
      try {
        return await client.get(knownPath, signal);
      } catch (error) {
        if (!(error instanceof RedfishError) || error.status !== 404) throw error;
      }
    }
    const resource = await find(signal);
    knownPath = resource.path;
    return resource;
  };
}

function hasIdOrUuid(system: Json, name: string): boolean {
  return getText(system, 'Id') === name || getText(system, 'UUID')?.toLowerCase() === name.toLowerCase();
}

export interface Action {
  readonly target: string;
  readonly body: Json;
}

/** Returns undefined if the resource does not offer the action. */
export function findAction({ body }: Resource, name: string): Action | undefined {
  const action = getObject(body, 'Actions', `#${name}`);
  const target = getText(action, 'target');
  return target === undefined ? undefined : { target, body: action };
}

/** Returns the reset types that the service accepts, or undefined if it does not list them. */
export async function allowedResetTypes(
  client: RedfishClient,
  action: Action,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const values = getTexts(action.body, 'ResetType@Redfish.AllowableValues');
  const info = getText(action.body, '@Redfish.ActionInfo');
  if (values !== undefined || info === undefined) return values;
  const { body } = await client.get(info, signal);
  const description = getObjects(body, 'Parameters').find((candidate) => getText(candidate, 'Name') === 'ResetType');
  return description === undefined ? undefined : getTexts(description, 'AllowableValues');
}
