// Writes null routes to a file, one prefix per line, for a router that reads static routes from one (BIRD, ExaBGP, a
// script). The file is replaced atomically.
import { open, readFile, rename } from 'node:fs/promises';
import { Type, type Static } from 'typebox';
import { Text } from '#contract/parameters.ts';
import { ApiError } from '#lib/api-error.ts';
import { hostRoute, type RouteDriver } from './driver.ts';

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
    const change = async (work: (routes: Set<string>) => void): Promise<void> => {
      const existing = await readRoutes(path);
      const routes = new Set(existing);
      work(routes);
      if (routes.size !== existing.length || existing.some((route) => !routes.has(route)))
        await writeRoutes(path, routes);
    };
    return {
      announce: (addresses) => {
        const added = addresses.map((address) => hostRoute(address).address);
        return change((routes) => added.forEach((address) => routes.add(address)));
      },
      withdraw: (addresses) => {
        const removed = addresses.map((address) => hostRoute(address).address);
        return change((routes) => removed.forEach((address) => routes.delete(address)));
      },
      list: () => readRoutes(path),
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

async function readRoutes(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw fileError(error);
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => hostRoute(line.slice(0, line.indexOf('/'))).address);
}

async function writeRoutes(path: string, routes: ReadonlySet<string>): Promise<void> {
  const lines = [...routes].sort().map((address) => `${address}/${hostRoute(address).prefixLength}\n`);
  try {
    const draft = await open(`${path}.new`, 'w', 0o644);
    try {
      await draft.writeFile(lines.join(''));
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
