// The state of a null route, derived from the API's fields.
import type { Nullroute } from '#sdk/legacy.ts';
import { t } from '../../text/text.ts';
import { attackKindText } from './attack.ts';

export interface NullrouteServer {
  readonly service: string;
  /** The server's name in the legacy API. */
  readonly server: string;
  readonly hostname: string;
}
/** Queries to refetch after a null route was added or removed. */
export const nullrouteQueries = ['legacy nullrouteSet', 'eventList', 'anomalyList'];

export interface ServerNullroute extends Nullroute {
  readonly server: string;
}
export type NullrouteState = 'Pending' | 'Active' | 'Removing' | 'Ended';

/** Compares the requested state with the router's. They can differ for a while if the router does not respond. */
export function nullrouteState({ active, end }: Nullroute, now: number): NullrouteState {
  const isRequested = end === '0' || Number(end) > now;
  if (active === '1') return isRequested ? 'Active' : 'Removing';
  return isRequested ? 'Pending' : 'Ended';
}

/** Sorts current and pending null routes first, then by start time, newest first. */
export function sortNullroutes(all: readonly ServerNullroute[], now: number): ServerNullroute[] {
  const hasEnded = (nullroute: Nullroute): number => Number(nullrouteState(nullroute, now) === 'Ended');
  return all.toSorted((left, right) => hasEnded(left) - hasEnded(right) || Number(right.start) - Number(left.start));
}

/** Those of the attack policy name the detector's rule: `Attack: udp_flood`. */
export function nullrouteReason(reason: string): string {
  const [, kind] = /^Attack(?:: (.*))?$/.exec(reason) ?? [];
  if (kind !== undefined) return t('Attack: {kind}', { kind: attackKindText(kind) });
  return reason === 'Attack' ? t('Attack') : reason;
}
