// The limits of a person or key to certain services: the others do not exist for it, in lists and wherever a service is
// named. `services.ts` enforces them for every service that a call names, and lists omit what is outside of them.
import { ApiError } from '#lib/api-error.ts';

/** The only services that a caller sees; undefined for one without limits. */
export type ServiceLimits = ReadonlySet<number> | undefined;

/** Returns true for a service within the limits, and for what belongs to no service. */
export function isServiceVisible(limits: ServiceLimits, service: number | null): boolean {
  return limits === undefined || service === null || limits.has(service);
}

/** Returns the limits of a key of a person: each of the two has its own. */
export function intersectLimits(ofPerson: ServiceLimits, ofKey: ServiceLimits): ServiceLimits {
  if (ofPerson === undefined || ofKey === undefined) return ofPerson ?? ofKey;
  return new Set([...ofPerson].filter((id) => ofKey.has(id)));
}

/** Returns true if someone with the inner limits sees no more than someone with the outer. */
export function areLimitsWithin(outer: ServiceLimits, inner: ServiceLimits): boolean {
  return outer === undefined || (inner !== undefined && [...inner].every((id) => outer.has(id)));
}

/** Throws unless someone with these limits sees no more than the caller. */
export function requireLimitsWithin(outer: ServiceLimits, inner: ServiceLimits): void {
  if (!areLimitsWithin(outer, inner))
    throw new ApiError('scope_missing', {
      message: 'Your access is limited to certain servers, so you cannot grant access to others.',
    });
}

/** Returns limits for the caller to read: without services that do not exist for the caller. */
export function limitIds(callers: ServiceLimits, limits: ServiceLimits): string[] {
  return [...(limits ?? [])].filter((id) => isServiceVisible(callers, id)).map(String);
}
