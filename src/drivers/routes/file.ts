// Writes routes to a file, for a router that reads static routes from one (BIRD, ExaBGP, a script): one prefix per line,
// followed by `via` and the next hop if traffic is not dropped. The file is replaced atomically.
import { open, readFile, rename } from 'node:fs/promises';
import { Type, type Static } from 'typebox';
import { Text } from '#contract/parameters.ts';
import { ApiError } from '#lib/api-error.ts';
import { parsePrefix, parseRoute, type Route, type RouteDriver } from './driver.ts';

const FileSettings = Type.Object(
  {
    /** Path of the list; its directory must exist. */
    path: Text({ max: 1024 }),
  },
  { additionalProperties: false },
);

export const fileRouteDriver: RouteDriver<typeof FileSettings> = {
  settings: FileSettings,
  open: async ({ path }: Static<typeof FileSettings>) => {
    const change = async (work: (lines: Map<string, string>) => void): Promise<void> => {
      const lines = new Map((await readRoutes(path)).map((route) => [route.prefix, routeLine(route)]));
      const before = [...lines.values()].join();
      work(lines);
      if ([...lines.values()].join() !== before) await writeLines(path, [...lines.values()].sort());
    };
    return {
      announce: (routes) => {
        const added = routes.map(parseRoute);
        return change((lines) => added.forEach((route) => lines.set(route.prefix, routeLine(route))));
      },
      withdraw: (prefixes) => {
        const removed = prefixes.map(parsePrefix);
        return change((lines) => removed.forEach(({ prefix }) => lines.delete(prefix)));
      },
      list: () => readRoutes(path),
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

function routeLine({ prefix, nextHop }: Route): string {
  return nextHop === undefined ? prefix : `${prefix} via ${nextHop}`;
}

async function readRoutes(path: string): Promise<Route[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw fileError(error);
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [prefix = '', nextHop] = line.split(' via ');
      try {
        const route = parseRoute({ prefix, nextHop });
        return { prefix: route.prefix, nextHop: route.nextHop };
      } catch (cause) {
        throw new ApiError('router_error', { internal: `routes file: remove the invalid line “${line}”`, cause });
      }
    });
}

async function writeLines(path: string, lines: readonly string[]): Promise<void> {
  try {
    const draft = await open(`${path}.new`, 'w', 0o644);
    try {
      await draft.writeFile(lines.map((line) => `${line}\n`).join(''));
      await draft.sync();
    } finally {
      await draft.close();
    }
    await rename(`${path}.new`, path);
  } catch (error) {
    throw fileError(error as NodeJS.ErrnoException);
  }
}

function fileError(error: NodeJS.ErrnoException): ApiError {
  return new ApiError('router_error', { internal: `routes file: ${error.code}`, cause: error });
}
