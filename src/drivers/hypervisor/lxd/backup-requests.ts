// What requests for LXD's own backups share, of containers and of volumes.
import { Type } from 'typebox';
import { ApiError } from '#lib/api-error.ts';
import type { LxdApi } from './api.ts';

const Operations = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({
      status_code: Type.Integer(),
      resources: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.Array(Type.String()))])),
    }),
  ),
);
const running = 103;
/** LXD removes what Hostyard does not. */
const keptDays = 3;

/** Not compressed, because the repository recognizes only content that it can see. */
export function backupSettings(id: string): object {
  return {
    name: id,
    optimized_storage: false,
    compression_algorithm: 'none',
    expires_at: new Date(Date.now() + keptDays * 86_400_000).toISOString(),
  };
}

/** LXD lists a backup from the beginning of its creation, and removes it if that fails. */
export async function requireIdle(api: LxdApi, resource: string, signal: AbortSignal): Promise<void> {
  const operations = Object.values(await api.get('/1.0/operations?recursion=1', Operations, signal)).flat();
  const isBusy = operations.some(
    ({ status_code, resources }) =>
      status_code === running &&
      Object.values(resources ?? {}).some((paths) => paths.some((path) => path.split('/').includes(resource))),
  );
  if (isBusy) throw new ApiError('device_busy', { message: 'The machine is being copied.' });
}

export function namedHeaders(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => [`x-lxd-${name}`, `x-incus-${name}`].map((key) => [key, value])),
  );
}
