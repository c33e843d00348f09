// Names of servers belong to the provider. The legacy API knows a server by its name if that has the documented form, and by
// a generated alias otherwise.
import { Check } from 'typebox/value';
import { LegacyServerName } from '#contract/parameters.ts';
import {
  lastServerAlias,
  serverAliases,
  serverAliasSet,
  serverNamedAsAlias,
  serversWithoutAlias,
} from '#store/devices/servers.ts';
import type { Queries } from '#store/store.ts';

/** The router and virtual machines have these names where a device is locked or named. */
export function isReservedName(name: string): boolean {
  return /^(?:router|vm-[0-9]+)$/i.test(name);
}

function isLegacyName(name: string): boolean {
  return Check(LegacyServerName, name);
}

/** Yields aliases after the last one, except names that servers have or had. */
export function* unusedAliases(last: string | undefined, names: ReadonlySet<string>): Generator<string, never> {
  for (let number = Number(last?.replaceAll(/[^0-9]/g, '') ?? 0) + 1; ; number++) {
    const alias = aliasText(number);
    if (!names.has(alias)) yield alias;
  }
}

function aliasText(number: number): string {
  const [dataCentre, rack, server, node] = String(number).padStart(8, '0').match(/../g)!;
  return `dc${dataCentre}r${rack}ds${server}-${node}`;
}

/** Gives an alias to each server that needs one. Rows of servers are never deleted, so an alias is never used again. */
export async function assignAliases(queries: Queries): Promise<void> {
  const taken = await serverNamedAsAlias(queries);
  if (taken !== undefined)
    throw new Error(`${taken.alias} is the legacy name of server ${taken.name}; give the new server another name`);
  const names = await serversWithoutAlias(queries);
  const unnamed = names.filter((name) => !isLegacyName(name)).toSorted();
  if (unnamed.length === 0) return;
  const aliases = unusedAliases(await lastServerAlias(queries), new Set(names));
  for (const name of unnamed) await serverAliasSet(queries, name, aliases.next().value);
}

/** Returns the names of servers in the legacy API, by their own names. */
export async function legacyNames(queries: Queries, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const aliases = await serverAliases(
    queries,
    names.filter((name) => !isLegacyName(name)),
  );
  return new Map(names.map((name) => [name, aliases.get(name) ?? name]));
}
