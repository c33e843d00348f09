// The operations that LXD is performing.
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

/** LXD lists a snapshot or a backup from the beginning of its creation. */
export async function requireIdle(api: LxdApi, resource: string, signal: AbortSignal): Promise<void> {
  const operations = Object.values(await api.get('/1.0/operations?recursion=1', Operations, signal)).flat();
  const isBusy = operations.some(
    ({ status_code, resources }) =>
      status_code === running &&
      Object.values(resources ?? {}).some((paths) => paths.some((path) => path.split('/').includes(resource))),
  );
  if (isBusy) throw new ApiError('device_busy', { message: 'The machine is being copied.' });
}
