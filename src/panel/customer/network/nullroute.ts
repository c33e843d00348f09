// What a null-route is doing, out of what the interface says of it.
import type { Nullroute } from '#sdk/legacy.ts';

export interface NullrouteServer {
  readonly service: string;
  /** Its name at the provider. */
  readonly server: string;
  readonly hostname: string;
}
/** What is read again when a null-route was made or lifted. */
export const nullroutesStale = ['legacy nullrouteSet', 'eventList', 'anomalyList'];

export interface ServerNullroute extends Nullroute {
  readonly server: string;
}
export type NullrouteState = 'Pending' | 'Active' | 'Being lifted' | 'Ended';

/** The router is told at once or, where it does not answer, later: a wish and what is so can differ for a while. */
export function nullrouteState({ active, end }: Nullroute, now: number): NullrouteState {
  const isWanted = end === '0' || Number(end) > now;
  if (active === '1') return isWanted ? 'Active' : 'Being lifted';
  return isWanted ? 'Pending' : 'Ended';
}

/** What is so or is going to be first, then the newest of what is over. */
export function nullroutesInOrder(all: readonly ServerNullroute[], now: number): ServerNullroute[] {
  const isOver = (each: Nullroute): number => Number(nullrouteState(each, now) === 'Ended');
  return all.toSorted((one, other) => isOver(one) - isOver(other) || Number(other.start) - Number(one.start));
}
