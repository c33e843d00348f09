// The data of a person in verified claims.
import { Check } from 'typebox/schema';
import { HumanName } from '#contract/parameters.ts';
import type { Claims } from './provider.ts';

/** Returns the values of a claim that is a text or a list of texts. A name with dots also reaches into objects. */
export function claimValues(claims: Claims, name: string): ReadonlySet<unknown> {
  const value = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce<unknown>(memberOf, claims);
  return new Set(Array.isArray(value) ? value : [value]);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

export interface ClaimedEmail {
  readonly email: string;
  readonly localPart: string;
  readonly domain: string;
  /** Some providers do not say, which is not the same as false. */
  readonly isVerified: boolean;
}

const emailPattern = /^([^\s@\p{Cc}\p{Cs}]{1,64})@([a-z0-9.-]{1,253})$/u;

/** Returns undefined if there is no usable address. */
export function emailOf(claims: Claims): ClaimedEmail | undefined {
  const { email, email_verified: verified } = claims;
  const [text, localPart, domain] = emailPattern.exec(typeof email === 'string' ? email.toLowerCase() : '') ?? [];
  if (text === undefined || verified === false || verified === 'false') return undefined;
  return { email: text, localPart: localPart!, domain: domain!, isVerified: verified === true || verified === 'true' };
}

/** Returns undefined for what people could not call themselves either. */
export function toName(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.trim().replaceAll(/\s+/g, ' ') : '';
  return Check(HumanName, name) ? name : undefined;
}
