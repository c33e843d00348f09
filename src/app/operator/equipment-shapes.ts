// What switches and hypervisors have in common for operators: whether they respond, and where they are mounted.
import { optionalTimeText } from '#lib/time.ts';
import { rackMountsNamed, type RackMount } from '#store/devices/racks.ts';
import type { Queries } from '#store/store.ts';

interface Checked {
  readonly error: string | null;
  readonly error_text: string;
  readonly seenAt: number | null;
  readonly nextAt: number;
}

export function equipmentCondition({ error, error_text, seenAt, nextAt }: Checked, now: number) {
  const isNew = seenAt === null && error === null;
  return {
    state: isNew ? ('unseen' as const) : error === null ? ('answers' as const) : ('silent' as const),
    error: error ?? '',
    errortext: error === null ? '' : error_text,
    seen: optionalTimeText(seenAt),
    // It is due at once, and has no time yet, before its first check and after a change of its settings.
    lag: nextAt === 0 ? '0' : String(Math.max(0, Math.round((now - nextAt) / 1000))),
  };
}

/** Returns a function that finds the position of each of these devices. */
export async function positionsOf(queries: Queries, kind: RackMount['kind'], names: readonly string[]) {
  const mounts = new Map((await rackMountsNamed(queries, kind, names)).map((mount) => [mount.name, mount]));
  return (name: string) => ({ rack: mounts.get(name)?.rack ?? '', unit: numberText(mounts.get(name)?.unit) });
}

/** Returns an empty text for what is unknown, which is never 0. */
export function numberText(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}
