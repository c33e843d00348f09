// Sessions of a Redfish service: those of users, and those of consoles, which services list with a type (Session schema 1.1).
import { RedfishError } from './error.ts';
import { getLink, getLinks, getText, type Json } from './json.ts';
import type { RedfishService } from './service.ts';

const consoleTypes = new Set(['KVMIP', 'HostConsole']);

export function isConsoleSession(session: Json): boolean {
  return consoleTypes.has(getText(session, 'SessionType') ?? '');
}

/** Ends the sessions that match. Rejects if one stays open. */
export async function endSessions(
  { client }: RedfishService,
  isMatch: (session: Json) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const find = async (): Promise<readonly string[]> => {
    const sessions = getLink((await client.root(signal)).body, 'Links', 'Sessions');
    if (sessions === undefined) return [];
    const links = getLinks((await client.get(sessions, signal)).body, 'Members');
    const found = await Promise.all(links.map((link) => ignoreMissing(client.get(link, signal))));
    return links.filter((_, index) => isMatch(found[index]?.body ?? {}));
  };
  for (const path of await find()) await ignoreMissing(client.remove(path, signal));
  if ((await find()).length > 0) throw new RedfishError('badResponse', 'the service does not end its sessions');
}

/** For a session that may expire. */
async function ignoreMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof RedfishError && error.status === 404) return undefined;
    throw error;
  }
}
