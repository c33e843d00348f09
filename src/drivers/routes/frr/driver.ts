// Sets static routes in FRR, which its bgpd redistributes. Our routes have a tag, by which route-maps recognize them too.
// FRR forgets them when it restarts, unless its configuration is saved; `onReconnect` reports that.
import { Type } from 'typebox';
import { Text, Whole } from '#contract/parameters.ts';
import { parsePrefix, parseRoute, type Route, type RouteDriver } from '../driver.ts';
import { openVty } from './vty.ts';

const Tag = Whole(1, 4_294_967_295);
const FrrSettings = Type.Object(
  {
    /** The VTY socket of the daemon that has the static routes, /run/frr/staticd.vty. */
    socket: Text({ max: 1024 }),
    /** Of null routes, and not on other routes; 666 by default. */
    nullTag: Type.Optional(Tag),
    /** Of routes to customers' devices, and not on other routes; 4470 by default. */
    routeTag: Type.Optional(Tag),
  },
  { additionalProperties: false },
);

export const frrRouteDriver: RouteDriver<typeof FrrSettings> = {
  settings: FrrSettings,
  open: async ({ socket, nullTag = 666, routeTag = 4470 }) => {
    const vty = openVty(socket);
    const list = async (signal: AbortSignal): Promise<Route[]> => {
      const configuration = await vty.run('show running-config', signal);
      return configuration.split('\n').flatMap((line): Route[] => {
        const [, prefix, target, tag] = /^ip(?:v6)? route (\S+) (\S+) tag ([0-9]+)$/.exec(line) ?? [];
        if (prefix === undefined || target === undefined) return [];
        if (Number(tag) === nullTag && target === 'blackhole') return [{ prefix, nextHop: undefined }];
        return Number(tag) === routeTag && target !== 'blackhole' ? [{ prefix, nextHop: target }] : [];
      });
    };
    const commandOf = ({ prefix, nextHop }: Route): string => {
      const target = nextHop === undefined ? `blackhole tag ${nullTag}` : `${nextHop} tag ${routeTag}`;
      return `${prefix.includes(':') ? 'ipv6' : 'ip'} route ${prefix} ${target}`;
    };
    /** One group per route: one that the router rejects must not hold up the others. */
    const configure = async (groups: readonly (readonly string[])[], signal: AbortSignal): Promise<void> => {
      const changes = groups.filter((group) => group.length > 0);
      if (changes.length > 0) await vty.configure(changes, signal);
    };
    const existing = async (signal: AbortSignal): Promise<ReadonlyMap<string, readonly Route[]>> =>
      Map.groupBy(await list(signal), ({ prefix }) => prefix);
    return {
      async announce(routes, signal) {
        const wanted = routes.map(parseRoute);
        if (wanted.length === 0) return;
        const present = await existing(signal);
        const groups = wanted.map((route) => {
          const own = (present.get(route.prefix) ?? []).map(commandOf);
          const command = commandOf(route);
          // A second route of the same prefix would share its traffic, so the old one goes first.
          const outdated = own.filter((other) => other !== command).map((other) => `no ${other}`);
          return own.includes(command) ? outdated : [...outdated, command];
        });
        await configure(groups, signal);
      },
      async withdraw(prefixes, signal) {
        const parsed = prefixes.map(parsePrefix);
        if (parsed.length === 0) return;
        const present = await existing(signal);
        const outdated = parsed.flatMap(({ prefix }) => present.get(prefix) ?? []);
        await configure(
          outdated.map((route) => [`no ${commandOf(route)}`]),
          signal,
        );
      },
      list,
      onReconnect: (listener) => vty.onReconnect(listener),
      [Symbol.asyncDispose]: async () => vty.close(),
    };
  },
};
